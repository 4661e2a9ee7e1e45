<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="bn" sourcelanguage="en">
<context>
    <name>QFileDialog</name>
    <message>
        <source>Look in:</source>
        <translation>খুঁজুন:</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>পেছনে</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>পেছনে যান</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>সামনে</translation>
    </message>
    <message>
        <source>Go forward</source>
        <translation>সামনে যান</translation>
    </message>
    <message>
        <source>Parent Directory</source>
        <translation>উপরের ফোল্ডার</translation>
    </message>
    <message>
        <source>Go to the parent directory</source>
        <translation>উপরের ফোল্ডারে যান</translation>
    </message>
    <message>
        <source>Create New Folder</source>
        <translation>নতুন ফোল্ডার</translation>
    </message>
    <message>
        <source>Create a New Folder</source>
        <translation>নতুন ফোল্ডার তৈরি করুন</translation>
    </message>
    <message>
        <source>List View</source>
        <translation>তালিকা ভিউ</translation>
    </message>
    <message>
        <source>Change to list view mode</source>
        <translation>তালিকা ভিউতে বদলান</translation>
    </message>
    <message>
        <source>Detail View</source>
        <translation>বিস্তারিত ভিউ</translation>
    </message>
    <message>
        <source>Change to detail view mode</source>
        <translation>বিস্তারিত ভিউতে বদলান</translation>
    </message>
    <message>
        <source>File &amp;name:</source>
        <translation>ফাইলের নাম:</translation>
    </message>
    <message>
        <source>Files of type:</source>
        <translation>ফাইলের ধরন:</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>খুলুন</translation>
    </message>
</context>
<context>
    <name>QFileSystemModel</name>
    <message>
        <source>Name</source>
        <translation>নাম</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>আকার</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>ধরন</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>ধরন</translation>
    </message>
    <message>
        <source>Date Modified</source>
        <translation>পরিবর্তনের তারিখ</translation>
    </message>
    <message>
        <source>My Computer</source>
        <translation>আমার কম্পিউটার</translation>
    </message>
    <message>
        <source>Computer</source>
        <translation>কম্পিউটার</translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation>পূর্বাবস্থায় ফেরান</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>পুনরায় &amp;করুন</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>কাট</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>কপি</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>পেস্ট</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>মুছুন</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>সব নির্বাচন</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>ঠিক আছে</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>সংরক্ষণ</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>খুলুন</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>হ্যাঁ</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>না</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>বন্ধ করুন</translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation>পূর্বাবস্থায় ফেরান</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>পুনরায় &amp;করুন</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>কাট</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>কপি</translation>
    </message>
    <message>
        <source>Copy &amp;Link Location</source>
        <translation>লিংকের ঠিকানা &amp;কপি</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>পেস্ট</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>মুছুন</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>সব নির্বাচন</translation>
    </message>
</context>
<context>
    <name>StateLook</name>
    <message>
        <source>closed</source>
        <translation>ক্লোজড</translation>
    </message>
    <message>
        <source>degraded</source>
        <translation>ডিগ্রেডেড</translation>
    </message>
    <message>
        <source>open</source>
        <translation>ওপেন</translation>
    </message>
    <message>
        <source>half-open</source>
        <translation>হাফ-ওপেন</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>সফল</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>ব্যর্থ</translation>
    </message>
    <message>
        <source>broken off</source>
        <translation>ছিন্ন</translation>
    </message>
    <message>
        <source>client left</source>
        <translation>ক্লায়েন্ট গেছে</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>প্রত্যাখ্যাত</translation>
    </message>
    <message>
        <source>serving</source>
        <translation>সেবা দিচ্ছে</translation>
    </message>
    <message>
        <source>disabled</source>
        <translation>নিষ্ক্রিয়</translation>
    </message>
    <message>
        <source>no key</source>
        <translation>কী নেই</translation>
    </message>
    <message>
        <source>key unreadable</source>
        <translation>কী অপাঠ্য</translation>
    </message>
    <message>
        <source>banned</source>
        <translation>নিষিদ্ধ</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>মেয়াদোত্তীর্ণ</translation>
    </message>
    <message>
        <source>no credit</source>
        <translation>ক্রেডিট নেই</translation>
    </message>
    <message>
        <source>resting</source>
        <translation>বিশ্রামে</translation>
    </message>
    <message>
        <source>provider resting</source>
        <translation>প্রোভাইডার বিশ্রামে</translation>
    </message>
    <message>
        <source>other wire format</source>
        <translation>ভিন্ন ওয়্যার ফরম্যাট</translation>
    </message>
    <message>
        <source>model not offered</source>
        <translation>মডেলটি নেই</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>অনুমতি নেই</translation>
    </message>
    <message>
        <source>unavailable</source>
        <translation>অনুপলব্ধ</translation>
    </message>
    <message>
        <source>already tried</source>
        <translation>আগেই চেষ্টা হয়েছে</translation>
    </message>
    <message>
        <source>model resting</source>
        <translation>মডেল বিশ্রামে</translation>
    </message>
    <message>
        <source>prompt too long for this model</source>
        <translation>এই মডেলের জন্য প্রম্পট বেশি লম্বা</translation>
    </message>
</context>
<context>
    <name>Units</name>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 দিন %2 ঘ.</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 ঘ. %2 মি.</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 সে.</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 মি. %2 সে.</translation>
    </message>
    <message>
        <source>%1 G</source>
        <translation>%1 G</translation>
    </message>
    <message>
        <source>%1 M</source>
        <translation>%1 M</translation>
    </message>
    <message>
        <source>%1 k</source>
        <translation>%1 k</translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation>%1 দিন</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 ঘ.</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 মি.</translation>
    </message>
</context>
<context>
    <name>omni::AliasDialog</name>
    <message>
        <source>Save</source>
        <translation>সংরক্ষণ</translation>
    </message>
    <message>
        <source>Edit alias</source>
        <translation>অ্যালিয়াস সম্পাদনা</translation>
    </message>
    <message>
        <source>Add an alias</source>
        <translation>অ্যালিয়াস যোগ করুন</translation>
    </message>
    <message>
        <source>Alias</source>
        <translation>অ্যালিয়াস</translation>
    </message>
    <message>
        <source>Such as: gpt-4o</source>
        <translation>যেমন: gpt-4o</translation>
    </message>
    <message>
        <source>Stands for</source>
        <translation>যার বদলে</translation>
    </message>
    <message>
        <source>Combo, alias, model or provider/model</source>
        <translation>কম্বো, অ্যালিয়াস, মডেল বা provider/model</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>সংরক্ষণ হচ্ছে…</translation>
    </message>
    <message>
        <source>Now: %1</source>
        <comment>connection, model</comment>
        <translation>এখন: %1</translation>
    </message>
    <message>
        <source>Nobody can answer it now.</source>
        <translation>এখন কেউ উত্তর দিতে পারবে না।</translation>
    </message>
    <message>
        <source>Nobody can answer it now: %1.</source>
        <translation>এখন কেউ উত্তর দিতে পারবে না: %1।</translation>
    </message>
</context>
<context>
    <name>omni::AnswerTester</name>
    <message>
        <source>Headers of the answer</source>
        <translation>উত্তরের হেডার</translation>
    </message>
    <message>
        <source>Retry-After: 30</source>
        <translation>Retry-After: 30</translation>
    </message>
    <message>
        <source>Body of the answer</source>
        <translation>উত্তরের বডি</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>রায়</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>নিয়ম</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>বিরতি</translation>
    </message>
    <message>
        <source>What the request does next</source>
        <translation>রিকোয়েস্ট এরপর কী করে</translation>
    </message>
    <message>
        <source>Provider that answers</source>
        <translation>যে প্রোভাইডার উত্তর দেয়</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>HTTP status of the answer</source>
        <translation>উত্তরের HTTP স্ট্যাটাস</translation>
    </message>
    <message>
        <source>Model that was asked for</source>
        <translation>যে মডেল চাওয়া হয়েছিল</translation>
    </message>
    <message>
        <source>any model</source>
        <translation>যেকোনো মডেল</translation>
    </message>
    <message>
        <source>from model</source>
        <translation>যে মডেল থেকে</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>স্ট্যাটাস</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>হেডার</translation>
    </message>
    <message>
        <source>Body</source>
        <translation>বডি</translation>
    </message>
    <message>
        <source>Decided by</source>
        <translation>নির্ধারক</translation>
    </message>
    <message>
        <source>Out of service</source>
        <translation>সেবার বাইরে</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>এরপর</translation>
    </message>
    <message>
        <source>Must be a number from 100 to 599.</source>
        <translation>100 থেকে 599-এর মধ্যে একটি সংখ্যা হতে হবে।</translation>
    </message>
    <message>
        <source>✓ this rule: %1</source>
        <translation>✓ এই নিয়ম: %1</translation>
    </message>
    <message>
        <source>another rule of yours, which comes first: %1</source>
        <translation>আপনার অন্য একটি নিয়ম, যা আগে আসে: %1</translation>
    </message>
    <message>
        <source>%1, judged as HTTP %2</source>
        <translation>%1, HTTP %2 হিসেবে বিচার করা</translation>
    </message>
    <message>
        <source>the connection for %1</source>
        <translation>কানেকশন, %1</translation>
    </message>
    <message>
        <source>the whole provider for %1</source>
        <translation>পুরো প্রোভাইডার, %1</translation>
    </message>
    <message>
        <source>the model %1 for %2</source>
        <translation>মডেল %1, %2</translation>
    </message>
    <message>
        <source>the connection, as banned, until you act</source>
        <translation>কানেকশন, ব্যানড হিসেবে, আপনি ব্যবস্থা না নেওয়া পর্যন্ত</translation>
    </message>
    <message>
        <source>the connection, as expired, until you act</source>
        <translation>কানেকশন, মেয়াদোত্তীর্ণ হিসেবে, আপনি ব্যবস্থা না নেওয়া পর্যন্ত</translation>
    </message>
    <message>
        <source>the connection, as out of credit, until you act</source>
        <translation>কানেকশন, ক্রেডিটশূন্য হিসেবে, আপনি ব্যবস্থা না নেওয়া পর্যন্ত</translation>
    </message>
    <message>
        <source>one failure more on the provider&apos;s breaker</source>
        <translation>প্রোভাইডারের ব্রেকারে আরও একটি ব্যর্থতা</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>কিছুই নয়</translation>
    </message>
    <message>
        <source>the request goes on to the next target</source>
        <translation>রিকোয়েস্ট পরের টার্গেটে যায়</translation>
    </message>
    <message>
        <source>the answer goes to the client as it is</source>
        <translation>উত্তরটি যেমন আছে তেমনই ক্লায়েন্টের কাছে যায়</translation>
    </message>
</context>
<context>
    <name>omni::ApiKeysModel</name>
    <message>
        <source>a connection that was deleted</source>
        <translation>মুছে ফেলা একটি কানেকশন</translation>
    </message>
    <message>
        <source>active</source>
        <translation>সক্রিয়</translation>
    </message>
    <message>
        <source>disabled</source>
        <translation>নিষ্ক্রিয়</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>মেয়াদোত্তীর্ণ</translation>
    </message>
    <message>
        <source>revoked</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>any</source>
        <comment>models a key may use</comment>
        <translation>যেকোনো</translation>
    </message>
    <message>
        <source>%1 patterns</source>
        <translation>%1টি প্যাটার্ন</translation>
    </message>
    <message>
        <source>any</source>
        <comment>connections a key may use</comment>
        <translation>যেকোনো</translation>
    </message>
    <message>
        <source>%1 of them</source>
        <comment>connections</comment>
        <translation>%1টি</translation>
    </message>
    <message>
        <source>requests</source>
        <comment>what a key is good for</comment>
        <translation>রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>management</source>
        <comment>what a key is good for</comment>
        <translation>ব্যবস্থাপনা</translation>
    </message>
    <message>
        <source>not logged</source>
        <comment>what a key is good for</comment>
        <translation>লগ ছাড়া</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>এখনো নয়</translation>
    </message>
    <message>
        <source>never</source>
        <translation>কখনো নয়</translation>
    </message>
    <message>
        <source>Revoked %1</source>
        <translation>%1-এ বাতিল করা হয়েছে</translation>
    </message>
    <message>
        <source>State</source>
        <translation>অবস্থা</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>নাম</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>কী</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>Good for</source>
        <translation>যে কাজে চলে</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>শেষ ব্যবহার</translation>
    </message>
    <message>
        <source>Expires</source>
        <translation>শেষ হবে</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>তৈরি</translation>
    </message>
</context>
<context>
    <name>omni::ApiKeysPage</name>
    <message>
        <source>What clients send to this proxy.</source>
        <translation>ক্লায়েন্টরা এই প্রক্সিতে যা পাঠায়।</translation>
    </message>
    <message>
        <source>Clients on this computer need no key now; one that sends a key is held to what the key may use.</source>
        <translation>এই কম্পিউটারের ক্লায়েন্টদের এখন কী লাগে না; যে কী পাঠায়, সে কেবল সেই কী-র অনুমতির ভেতরে চলে।</translation>
    </message>
    <message>
        <source>Clients need a key, and none can be used: every request is refused until you create one.</source>
        <translation>ক্লায়েন্টদের কী লাগবে, অথচ ব্যবহারযোগ্য একটিও নেই: আপনি একটি তৈরি না করা পর্যন্ত প্রতিটি রিকোয়েস্ট প্রত্যাখ্যাত হবে।</translation>
    </message>
    <message>
        <source>Clients need one of these keys and send it as they would send a provider&apos;s.</source>
        <translation>ক্লায়েন্টদের এই কী-গুলোর একটি লাগবে; প্রোভাইডারের কী যেভাবে পাঠায় সেভাবেই পাঠাবে।</translation>
    </message>
    <message>
        <source>Disable</source>
        <translation>নিষ্ক্রিয় করুন</translation>
    </message>
    <message>
        <source>Enable</source>
        <translation>সক্রিয় করুন</translation>
    </message>
    <message>
        <source>The key “%1” works from now on.</source>
        <translation>“%1” কী এখন থেকে কাজ করবে।</translation>
    </message>
    <message>
        <source>“%1” was saved.</source>
        <translation>“%1” সংরক্ষিত হয়েছে।</translation>
    </message>
    <message>
        <source>Enabled %1.</source>
        <translation>%1 সক্রিয় করা হয়েছে।</translation>
    </message>
    <message>
        <source>Disabled %1.</source>
        <translation>%1 নিষ্ক্রিয় করা হয়েছে।</translation>
    </message>
    <message>
        <source>Enabled %1 keys.</source>
        <translation>%1টি কী সক্রিয় করা হয়েছে।</translation>
    </message>
    <message>
        <source>Disabled %1 keys.</source>
        <translation>%1টি কী নিষ্ক্রিয় করা হয়েছে।</translation>
    </message>
    <message>
        <source>Revoke the key %1?</source>
        <translation>%1 কী বাতিল করবেন?</translation>
    </message>
    <message>
        <source>Revoke %1 keys?</source>
        <translation>%1টি কী বাতিল করবেন?</translation>
    </message>
    <message>
        <source>Clients that send it are refused from now on, and this cannot be undone. It stays in the list, for what it was used for.</source>
        <translation>যে ক্লায়েন্টরা এটি পাঠায় তারা এখন থেকে প্রত্যাখ্যাত হবে, এবং এটি আর ফেরানো যাবে না। কী দিয়ে কী হয়েছিল তা জানার জন্য এটি তালিকায় থাকবে।</translation>
    </message>
    <message>
        <source>Revoke</source>
        <translation>বাতিল করুন</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Revoked the key %1.</source>
        <translation>%1 কী বাতিল হয়েছে।</translation>
    </message>
    <message>
        <source>Revoked %1 keys.</source>
        <translation>%1টি কী বাতিল হয়েছে।</translation>
    </message>
    <message>
        <source>Delete the key %1?</source>
        <translation>%1 কী মুছবেন?</translation>
    </message>
    <message>
        <source>Delete %1 keys?</source>
        <translation>%1টি কী মুছবেন?</translation>
    </message>
    <message>
        <source>Clients that send it are refused from now on, and this cannot be undone. The request log and the usage figures keep its name.</source>
        <translation>যে ক্লায়েন্টরা এটি পাঠায় তারা এখন থেকে প্রত্যাখ্যাত হবে, এবং এটি আর ফেরানো যাবে না। রিকোয়েস্ট লগ ও ব্যবহারের হিসাবে এর নাম থাকবে।</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>মুছুন</translation>
    </message>
    <message>
        <source>Deleted the key %1.</source>
        <translation>%1 কী মুছে ফেলা হয়েছে।</translation>
    </message>
    <message>
        <source>Deleted %1 keys.</source>
        <translation>%1টি কী মুছে ফেলা হয়েছে।</translation>
    </message>
    <message>
        <source>Create a key…</source>
        <translation>কী তৈরি করুন…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>সম্পাদনা…</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>টেক্সট হিসেবে কপি</translation>
    </message>
    <message>
        <source>Revoke…</source>
        <translation>বাতিল করুন…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>মুছুন…</translation>
    </message>
    <message>
        <source>API keys</source>
        <translation>API কী</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>ফিল্টার</translation>
    </message>
    <message>
        <source>Filter the keys</source>
        <translation>কী ফিল্টার করুন</translation>
    </message>
    <message>
        <source>&amp;Create key…</source>
        <translation>কী তৈরি করুন…</translation>
    </message>
    <message>
        <source>Create a client key</source>
        <translation>ক্লায়েন্ট কী তৈরি করুন</translation>
    </message>
    <message>
        <source>No key matches the filter.</source>
        <translation>ফিল্টারের সঙ্গে কোনো কী মেলে না।</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>সব দেখান</translation>
    </message>
    <message>
        <source>Change in Settings</source>
        <translation>সেটিংসে বদলান</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>সম্পাদনা</translation>
    </message>
    <message>
        <source>Client keys</source>
        <translation>ক্লায়েন্ট কী</translation>
    </message>
    <message>
        <source>No client keys yet. A key tells in the request log and on the page Usage who asked, and can be limited to some models and connections.</source>
        <translation>এখনো কোনো ক্লায়েন্ট কী নেই। কী থেকে রিকোয়েস্ট লগে ও ব্যবহার পাতায় জানা যায় কে চেয়েছিল; চাইলে কী-কে কিছু মডেল ও কানেকশনে সীমিত রাখা যায়।</translation>
    </message>
    <message>
        <source>Create a key</source>
        <translation>কী তৈরি করুন</translation>
    </message>
</context>
<context>
    <name>omni::AttemptsModel</name>
    <message>
        <source>Thin: connecting. Pale: waiting for the first byte. Half: until the first token. Full: the stream.</source>
        <translation>সরু: সংযোগ হচ্ছে। ফিকে: প্রথম বাইটের অপেক্ষা। অর্ধেক: প্রথম টোকেন পর্যন্ত। পূর্ণ: স্ট্রিম।</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>টার্গেট</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>ফলাফল</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>সময়রেখা</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>সময় লেগেছে</translation>
    </message>
    <message>
        <source>What followed</source>
        <translation>এরপর যা হয়েছে</translation>
    </message>
</context>
<context>
    <name>omni::BackupPanel</name>
    <message>
        <source>A backup is a copy of the database: connections, combos, client keys, settings, the request log and the usage figures. The keys of your providers are kept apart, encrypted, and are in no backup. One is made by itself before an update changes the database; of each kind that is made by itself the newest ones are kept.</source>
        <translation>ব্যাকআপ হলো ডেটাবেসের কপি: কানেকশন, কম্বো, ক্লায়েন্ট কী, সেটিংস, রিকোয়েস্ট লগ আর ব্যবহারের হিসাব। প্রোভাইডারের কী আলাদা করে, এনক্রিপ্ট করে রাখা হয়; কোনো ব্যাকআপে থাকে না। আপডেট ডেটাবেস বদলানোর আগে একটি আপনা থেকেই তৈরি হয়; আপনা থেকে হওয়া প্রতি ধরনের সবচেয়ে নতুনগুলো রাখা হয়।</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>এখনই আবার চালু করুন</translation>
    </message>
    <message>
        <source>Do not restore it</source>
        <translation>পুনরুদ্ধার করবেন না</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>ব্যাকআপ</translation>
    </message>
    <message>
        <source>Make a backup now</source>
        <translation>এখনই ব্যাকআপ নিন</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>পুনরুদ্ধার…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>মুছুন…</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>ফোল্ডার খুলুন</translation>
    </message>
    <message>
        <source>The backup of %1 is restored when OmniRoute starts the next time.</source>
        <translation>OmniRoute পরের বার চালু হলে %1-এর ব্যাকআপ পুনরুদ্ধার হবে।</translation>
    </message>
    <message>
        <source>Working…</source>
        <translation>কাজ চলছে…</translation>
    </message>
    <message>
        <source>The backup was made: %1</source>
        <translation>ব্যাকআপ তৈরি হয়েছে: %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Restore the backup of %1?</source>
        <translation>%1-এর ব্যাকআপ পুনরুদ্ধার করবেন?</translation>
    </message>
    <message>
        <source>It takes the place of everything in the present database: connections, combos, client keys, settings, the request log and the usage figures. What is there now is kept as a backup too, so that you can go back.

A provider&apos;s key that was deleted since does not come back; its connection asks for it again.

OmniRoute has to restart for it. Requests that are running get five seconds to end.</source>
        <translation>এটি এখনকার ডেটাবেসের সবকিছুর জায়গা নেবে: কানেকশন, কম্বো, ক্লায়েন্ট কী, সেটিংস, রিকোয়েস্ট লগ আর ব্যবহারের হিসাব। এখন যা আছে তা-ও ব্যাকআপ হিসেবে রাখা হয়, যাতে ফিরে আসতে পারেন।

এর মধ্যে প্রোভাইডারের যে কী মুছে ফেলা হয়েছে তা ফিরে আসে না; তার কানেকশন আবার কী চাইবে।

এর জন্য OmniRoute-কে আবার চালু হতে হয়। চলতি অনুরোধগুলো শেষ হতে পাঁচ সেকেন্ড পায়।</translation>
    </message>
    <message>
        <source>Restore and restart</source>
        <translation>পুনরুদ্ধার করে আবার চালু করুন</translation>
    </message>
    <message>
        <source>At the next start</source>
        <translation>পরের বার চালু হলে</translation>
    </message>
    <message>
        <source>The backup was checked and is restored at the next start.</source>
        <translation>ব্যাকআপ পরীক্ষা করা হয়েছে; পরের বার চালু হলে পুনরুদ্ধার হবে।</translation>
    </message>
    <message>
        <source>Nothing is restored at the next start.</source>
        <translation>পরের বার চালু হলে কিছুই পুনরুদ্ধার হবে না।</translation>
    </message>
    <message>
        <source>Delete the backup of %1?</source>
        <translation>%1-এর ব্যাকআপ মুছবেন?</translation>
    </message>
    <message>
        <source>The file %1 is deleted, and this cannot be undone.</source>
        <translation>%1 ফাইলটি মুছে যাবে, আর তা ফেরানো যাবে না।</translation>
    </message>
    <message>
        <source>Delete it</source>
        <translation>মুছে ফেলুন</translation>
    </message>
    <message>
        <source>The backup was deleted.</source>
        <translation>ব্যাকআপ মুছে ফেলা হয়েছে।</translation>
    </message>
    <message>
        <source>There is no backup yet.</source>
        <translation>এখনো কোনো ব্যাকআপ নেই।</translation>
    </message>
</context>
<context>
    <name>omni::BackupsModel</name>
    <message>
        <source>not readable</source>
        <translation>পড়া যায় না</translation>
    </message>
    <message>
        <source>%1, as now</source>
        <translation>%1, এখনকার মতোই</translation>
    </message>
    <message>
        <source>%1, older</source>
        <translation>%1, পুরোনো</translation>
    </message>
    <message>
        <source>%1, newer</source>
        <translation>%1, নতুনতর</translation>
    </message>
    <message>
        <source>This file cannot be read as a database of OmniRoute.</source>
        <translation>এই ফাইলটি OmniRoute-এর ডেটাবেস হিসেবে পড়া যায় না।</translation>
    </message>
    <message>
        <source>A newer version of OmniRoute made it; this one cannot restore it.</source>
        <translation>এটি OmniRoute-এর নতুনতর সংস্করণের তৈরি; এই সংস্করণ এটি পুনরুদ্ধার করতে পারে না।</translation>
    </message>
    <message>
        <source>An earlier version of OmniRoute made it; it is brought up to date when it is restored.</source>
        <translation>এটি OmniRoute-এর আগের সংস্করণের তৈরি; পুনরুদ্ধারের সময় এটিকে হালনাগাদ করা হয়।</translation>
    </message>
    <message>
        <source>before an update</source>
        <translation>আপডেটের আগে</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>হাতে করা</translation>
    </message>
    <message>
        <source>before an import</source>
        <translation>ইমপোর্টের আগে</translation>
    </message>
    <message>
        <source>before a restore</source>
        <translation>পুনরুদ্ধারের আগে</translation>
    </message>
    <message>
        <source>damaged database</source>
        <translation>ক্ষতিগ্রস্ত ডেটাবেস</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>তৈরির সময়</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>কেন</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>আকার</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>স্কিমা</translation>
    </message>
</context>
<context>
    <name>omni::BreakerBandsModel</name>
    <message>
        <source>%1, %2</source>
        <comment>open, 0:21</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 %2/%3</source>
        <comment>degraded 7/12</comment>
        <translation>%1 %2/%3</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <comment>closed for 3:20</comment>
        <translation>%2 ধরে %1</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>States over time</source>
        <translation>সময়ের সাথে অবস্থা</translation>
    </message>
    <message>
        <source>State now</source>
        <translation>এখনকার অবস্থা</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>জানা নেই</translation>
    </message>
</context>
<context>
    <name>omni::BulkDialog</name>
    <message>
        <source>Save</source>
        <translation>সংরক্ষণ</translation>
    </message>
    <message>
        <source>Edit %1 connections</source>
        <translation>%1টি কানেকশন সম্পাদনা</translation>
    </message>
    <message>
        <source>What is ticked is set on all of them; the rest stays as it is on each.</source>
        <translation>যেগুলোতে টিক আছে সেগুলো সব কটিতে বসবে; বাকিগুলো প্রতিটিতে যেমন আছে তেমনই থাকবে।</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>চালু</translation>
    </message>
    <message>
        <source>disabled</source>
        <translation>নিষ্ক্রিয়</translation>
    </message>
    <message>
        <source>none; http://, https:// or socks5h://</source>
        <translation>কোনোটি নয়; http://, https:// বা socks5h://</translation>
    </message>
    <message>
        <source>rests</source>
        <translation>বিশ্রাম নেয়</translation>
    </message>
    <message>
        <source>never rests</source>
        <translation>কখনো বিশ্রাম নেয় না</translation>
    </message>
    <message>
        <source>HTTP/2 where the provider has it</source>
        <translation>প্রোভাইডারের থাকলে HTTP/2</translation>
    </message>
    <message>
        <source>HTTP/1.1</source>
        <translation>HTTP/1.1</translation>
    </message>
    <message>
        <source>Now: different ones</source>
        <translation>এখন: একেকটিতে একেক রকম</translation>
    </message>
    <message>
        <source>Now: %1</source>
        <translation>এখন: %1</translation>
    </message>
    <message>
        <source>State</source>
        <translation>অবস্থা</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>অগ্রাধিকার</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>প্রক্সি</translation>
    </message>
    <message>
        <source>Now: none</source>
        <translation>এখন: কোনোটি নয়</translation>
    </message>
    <message>
        <source>With user and password where it needs them: http://user:password@host:port. They are kept among the secrets. Empty: no proxy.</source>
        <translation>ইউজার ও পাসওয়ার্ড লাগলে এভাবে লিখুন: http://user:password@host:port। এগুলো গোপন তথ্যের সঙ্গে রাখা হয়। খালি: প্রক্সি নেই।</translation>
    </message>
    <message>
        <source>After a failure</source>
        <translation>ব্যর্থতার পরে</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>প্রোটোকল</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Tick what is to be changed.</source>
        <translation>যা বদলাতে চান তাতে টিক দিন।</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>সংরক্ষণ হচ্ছে…</translation>
    </message>
</context>
<context>
    <name>omni::ChartKey</name>
    <message>
        <source>%1 ago</source>
        <translation>%1 আগে</translation>
    </message>
</context>
<context>
    <name>omni::ChartView</name>
    <message>
        <source>now</source>
        <translation>এখন</translation>
    </message>
    <message>
        <source>−%1 h</source>
        <translation>−%1 ঘ.</translation>
    </message>
    <message>
        <source>−%1 min</source>
        <translation>−%1 মি.</translation>
    </message>
</context>
<context>
    <name>omni::ChipsRow</name>
    <message>
        <source>Add</source>
        <translation>যোগ করুন</translation>
    </message>
    <message>
        <source>Add to “%1”</source>
        <translation>“%1”-এ যোগ করুন</translation>
    </message>
    <message>
        <source>Must be an HTTP status from %1.</source>
        <comment>a range such as: 100 to 599</comment>
        <translation>HTTP স্ট্যাটাসটি %1-এর মধ্যে হতে হবে।</translation>
    </message>
    <message>
        <source>Remove “%1”</source>
        <translation>“%1” সরান</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 যোগ করুন</translation>
    </message>
    <message>
        <source>none</source>
        <translation>নেই</translation>
    </message>
</context>
<context>
    <name>omni::ClearHolds</name>
    <message>
        <source>Cleared: %1 · unchanged: %2 · skipped, terminal: %3 · model lockouts cleared: %4</source>
        <translation>তোলা হয়েছে: %1 · অপরিবর্তিত: %2 · বাদ, চূড়ান্ত: %3 · মডেল লকআউট তোলা হয়েছে: %4</translation>
    </message>
</context>
<context>
    <name>omni::ClientDetail</name>
    <message>
        <source>Set up for me</source>
        <translation>আমার হয়ে সাজিয়ে দিন</translation>
    </message>
    <message>
        <source>Set up a project for me</source>
        <translation>আমার হয়ে একটি প্রজেক্ট সাজিয়ে দিন</translation>
    </message>
    <message>
        <source>As the client chooses</source>
        <translation>ক্লায়েন্ট যা বেছে নেয়</translation>
    </message>
    <message>
        <source>Speaks %1.</source>
        <translation>যে ফরম্যাটে কথা বলে: %1।</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>আরও %Lnটি</numerusform>
            <numerusform>আরও %Lnটি</numerusform>
        </translation>
    </message>
    <message>
        <source>None of your connections speaks this, so its requests would be refused. Add one that does.</source>
        <translation>আপনার কোনো কানেকশনই এই ফরম্যাট বোঝে না, তাই এর অনুরোধ প্রত্যাখ্যাত হতো। বোঝে এমন একটি যোগ করুন।</translation>
    </message>
    <message>
        <source>Only the sandbox answers this now: fine for trying out, but no model is behind it.</source>
        <translation>এখন শুধু স্যান্ডবক্সই এর উত্তর দেয়: পরখ করার জন্য ঠিক আছে, কিন্তু তার পেছনে কোনো মডেল নেই।</translation>
    </message>
    <message>
        <source>Answered by %1.</source>
        <translation>উত্তর দেয় %1।</translation>
    </message>
    <message>
        <source>Not found on this machine.</source>
        <translation>এই মেশিনে পাওয়া যায়নি।</translation>
    </message>
    <message>
        <source>Found at %1.</source>
        <translation>পাওয়া গেছে এখানে: %1।</translation>
    </message>
    <message>
        <source>Its file leads to %1.</source>
        <translation>এর ফাইলে ঠিকানা %1।</translation>
    </message>
    <message>
        <source>Written %1.</source>
        <comment>when, such as: 3 minutes ago</comment>
        <translation>লেখা হয়েছে %1।</translation>
    </message>
    <message>
        <source>%1 was new.</source>
        <translation>%1 নতুন ছিল।</translation>
    </message>
    <message>
        <source>What was there before: %1</source>
        <translation>আগে যা ছিল: %1</translation>
    </message>
    <message>
        <source>Which project? Its .env file is changed, or made.</source>
        <translation>কোন প্রজেক্ট? তার .env ফাইল বদলানো হয়, বা তৈরি করা হয়।</translation>
    </message>
    <message>
        <source>Choose the folder of the project first.</source>
        <translation>আগে প্রজেক্টের ফোল্ডার বেছে নিন।</translation>
    </message>
    <message>
        <source>Clients need a key (Settings → Proxy). Make one for this client, or paste one you have.</source>
        <translation>ক্লায়েন্টদের কী লাগে (সেটিংস → প্রক্সি)। এটির জন্য একটি বানান, বা আপনার কাছে থাকা একটি পেস্ট করুন।</translation>
    </message>
    <message>
        <source>Choose the model it should ask for.</source>
        <translation>কোন মডেল চাইবে তা বেছে নিন।</translation>
    </message>
    <message>
        <source>Looking at its file…</source>
        <translation>এর ফাইল দেখা হচ্ছে…</translation>
    </message>
    <message>
        <source>Its file says all of this already. There is nothing to write.</source>
        <translation>এর ফাইলে এ সবই আছে। লেখার কিছু নেই।</translation>
    </message>
    <message>
        <source>This is all that would change. A copy of what is there is kept beside it.</source>
        <translation>এটুকুই বদলাবে। এখন যা আছে তার একটি কপি পাশেই রাখা হয়।</translation>
    </message>
    <message>
        <source>The proxy is stopped now.</source>
        <translation>প্রক্সি এখন বন্ধ।</translation>
    </message>
    <message>
        <source>In a shell</source>
        <translation>শেলে</translation>
    </message>
    <message>
        <source>%1 is set up. %2</source>
        <translation>%1 সাজানো হয়েছে। %2</translation>
    </message>
    <message>
        <source>The settings of %1 are what they were before.</source>
        <translation>%1-এর সেটিংস আগের মতো হয়ে গেছে।</translation>
    </message>
    <message>
        <source>Made the client key “%1”. It is kept nowhere else: write it, or copy it, before you leave.</source>
        <translation>“%1” ক্লায়েন্ট কী তৈরি হয়েছে। আর কোথাও রাখা নেই: যাওয়ার আগে ফাইলে লিখুন বা কপি করুন।</translation>
    </message>
    <message>
        <source>The project&apos;s folder</source>
        <translation>প্রজেক্টের ফোল্ডার</translation>
    </message>
    <message>
        <source>Copied the lines for %1.</source>
        <translation>%1-এর লাইনগুলো কপি হয়েছে।</translation>
    </message>
    <message>
        <source>%1 has no folder of settings here yet.</source>
        <translation>এখানে %1-এর সেটিংসের ফোল্ডার এখনো নেই।</translation>
    </message>
    <message>
        <source>&amp;Add a connection…</source>
        <translation>কানেকশন যোগ করুন… (&amp;A)</translation>
    </message>
    <message>
        <source>By hand</source>
        <translation>নিজের হাতে</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>কপি হয়েছে: %1</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>মডেল (&amp;M)</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Client &amp;key</source>
        <translation>ক্লায়েন্ট কী (&amp;K)</translation>
    </message>
    <message>
        <source>Client key</source>
        <translation>ক্লায়েন্ট কী</translation>
    </message>
    <message>
        <source>Paste one, or make one</source>
        <translation>পেস্ট করুন, বা বানান</translation>
    </message>
    <message>
        <source>Make a key</source>
        <translation>কী বানান</translation>
    </message>
    <message>
        <source>Choose a &amp;folder…</source>
        <translation>ফোল্ডার বেছে নিন… (&amp;F)</translation>
    </message>
    <message>
        <source>What would be changed</source>
        <translation>যা বদলাবে</translation>
    </message>
    <message>
        <source>&amp;Write this change</source>
        <translation>এই বদল লিখুন (&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Take back</source>
        <translation>ফিরিয়ে নিন (&amp;T)</translation>
    </message>
</context>
<context>
    <name>omni::ClientList</name>
    <message>
        <source>Copy the lines to paste</source>
        <translation>পেস্ট করার লাইনগুলো কপি করুন</translation>
    </message>
    <message>
        <source>Open the folder of its settings</source>
        <translation>এর সেটিংসের ফোল্ডার খুলুন</translation>
    </message>
    <message>
        <source>Copy the list as text</source>
        <translation>তালিকাটি লেখা হিসেবে কপি করুন</translation>
    </message>
</context>
<context>
    <name>omni::ClientText</name>
    <message>
        <source>not served yet</source>
        <translation>এখনো চলে না</translation>
    </message>
    <message>
        <source>points here</source>
        <translation>এখানেই আসে</translation>
    </message>
    <message>
        <source>points elsewhere</source>
        <translation>অন্য ঠিকানায় যায়</translation>
    </message>
    <message>
        <source>file cannot be read</source>
        <translation>ফাইল পড়া যায় না</translation>
    </message>
    <message>
        <source>not set up</source>
        <translation>সাজানো হয়নি</translation>
    </message>
    <message>
        <source>set up by project</source>
        <translation>প্রজেক্ট ধরে সাজানো</translation>
    </message>
    <message>
        <source>OpenAI chat completions</source>
        <translation>OpenAI chat completions</translation>
    </message>
    <message>
        <source>OpenAI completions</source>
        <translation>OpenAI কমপ্লিশন</translation>
    </message>
    <message>
        <source>OpenAI embeddings</source>
        <translation>OpenAI এমবেডিং</translation>
    </message>
    <message>
        <source>OpenAI responses</source>
        <translation>OpenAI রেসপন্স</translation>
    </message>
    <message>
        <source>Anthropic messages</source>
        <translation>Anthropic মেসেজ</translation>
    </message>
    <message>
        <source>Anthropic token counts</source>
        <translation>Anthropic token counts</translation>
    </message>
    <message>
        <source>Restart the editor so that it reads its settings anew.</source>
        <translation>এডিটরটি আবার চালু করুন, যাতে সেটিংস নতুন করে পড়ে।</translation>
    </message>
    <message>
        <source>Programs that load the project&apos;s .env ask here from their next start.</source>
        <translation>যে প্রোগ্রামগুলো প্রজেক্টের .env পড়ে, পরের বার চালু হলে এখানেই চাইবে।</translation>
    </message>
    <message>
        <source>It asks here from its next start.</source>
        <translation>পরের বার চালু হলে এখানেই চাইবে।</translation>
    </message>
    <message>
        <source>Gemini CLI asks in Google&apos;s own format (generateContent), which this proxy does not translate yet. Pointed here, every one of its requests would be refused, so there is nothing to set up. With a Gemini key under Connections, the clients here that speak OpenAI chat completions can use Gemini&apos;s models.</source>
        <translation>Gemini CLI চায় Google-এর নিজস্ব ফরম্যাটে (generateContent), যা এই প্রক্সি এখনো অনুবাদ করে না। এখানে আনলে এর প্রতিটি অনুরোধ প্রত্যাখ্যাত হতো, তাই সাজানোর কিছু নেই। কানেকশন পাতায় একটি Gemini কী থাকলে এখানকার যে ক্লায়েন্টরা OpenAI chat completions বলে, তারা Gemini-র মডেল ব্যবহার করতে পারে।</translation>
    </message>
    <message>
        <source>What settings.json says beats the variables of your shell. Without a model it asks for its own, which an Anthropic connection knows.</source>
        <translation>settings.json-এ যা থাকে তা শেলের ভ্যারিয়েবলের ওপরে। মডেল না দিলে নিজেরটিই চায়, যা Anthropic কানেকশন চেনে।</translation>
    </message>
    <message>
        <source>For Cline in a terminal, and for editors whose Cline keeps its settings in ~/.cline.</source>
        <translation>টার্মিনালের Cline-এর জন্য, আর যে এডিটরের Cline তার সেটিংস ~/.cline-এ রাখে তার জন্য।</translation>
    </message>
    <message>
        <source>The SDK reads its environment. A .env file is read by python-dotenv, node --env-file, Docker Compose and others.</source>
        <translation>SDK পরিবেশের ভ্যারিয়েবল পড়ে। .env ফাইল পড়ে python-dotenv, node --env-file, Docker Compose ও আরও অনেকে।</translation>
    </message>
</context>
<context>
    <name>omni::ClientsPage</name>
    <message>
        <source>Clients</source>
        <translation>ক্লায়েন্ট</translation>
    </message>
    <message>
        <source>Find a client</source>
        <translation>ক্লায়েন্ট খুঁজুন</translation>
    </message>
    <message>
        <source>Programs ask at %1, or %1/v1 where they speak OpenAI&apos;s formats.</source>
        <translation>প্রোগ্রাম চায় %1 ঠিকানায়, OpenAI-এর ফরম্যাটে হলে %1/v1 ঠিকানায়।</translation>
    </message>
    <message>
        <source>The proxy is stopped. When it serves, programs ask at %1.</source>
        <translation>প্রক্সি বন্ধ। চালু হলে প্রোগ্রাম চাইবে %1 ঠিকানায়।</translation>
    </message>
</context>
<context>
    <name>omni::ComboActions</name>
    <message>
        <source>It is back.</source>
        <translation>ফিরে এসেছে।</translation>
    </message>
    <message>
        <source>%1 are back.</source>
        <translation>%1টি ফিরে এসেছে।</translation>
    </message>
    <message>
        <source>The combo “%1” was deleted.</source>
        <translation>কম্বো “%1” মুছে ফেলা হয়েছে।</translation>
    </message>
    <message>
        <source>%1 combos were deleted.</source>
        <translation>%1টি কম্বো মুছে ফেলা হয়েছে।</translation>
    </message>
    <message>
        <source>The alias “%1” was deleted.</source>
        <translation>অ্যালিয়াস “%1” মুছে ফেলা হয়েছে।</translation>
    </message>
    <message>
        <source>%1 aliases were deleted.</source>
        <translation>%1টি অ্যালিয়াস মুছে ফেলা হয়েছে।</translation>
    </message>
</context>
<context>
    <name>omni::ComboDialog</name>
    <message>
        <source>Add a combo</source>
        <translation>কম্বো যোগ করুন</translation>
    </message>
    <message>
        <source>Edit combo</source>
        <translation>কম্বো সম্পাদনা</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>সংরক্ষণ হচ্ছে…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>সংরক্ষণ</translation>
    </message>
    <message>
        <source>A name is missing.</source>
        <translation>একটি নাম দিতে হবে।</translation>
    </message>
    <message>
        <source>Add at least one model.</source>
        <translation>অন্তত একটি মডেল যোগ করুন।</translation>
    </message>
    <message>
        <source>A target cannot be saved as it stands.</source>
        <translation>একটি টার্গেট যেভাবে আছে সেভাবে সংরক্ষণ করা যাবে না।</translation>
    </message>
    <message>
        <source>Choose a target above</source>
        <translation>উপরে একটি টার্গেট বেছে নিন</translation>
    </message>
    <message>
        <source>Targets of several providers</source>
        <translation>কয়েকটি প্রোভাইডারের টার্গেট</translation>
    </message>
    <message>
        <source>Any connection of %1</source>
        <translation>%1-এর যেকোনো কানেকশন</translation>
    </message>
    <message>
        <source>Only “%1”</source>
        <translation>শুধু “%1”</translation>
    </message>
    <message>
        <source>A connection that does not exist any more</source>
        <translation>যে কানেকশন আর নেই</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Find a model or a provider</source>
        <translation>মডেল বা প্রোভাইডার খুঁজুন</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Add to the combo</source>
        <translation>কম্বোতে যোগ করুন</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>নাম</translation>
    </message>
    <message>
        <source>Such as: coding</source>
        <translation>যেমন: coding</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>কৌশল</translation>
    </message>
    <message>
        <source>Targets of the combo</source>
        <translation>কম্বোর টার্গেট</translation>
    </message>
    <message>
        <source>Tried from the top until one answers. Drag a target, or move it with Alt and the arrow keys.</source>
        <translation>উপর থেকে একে একে চেষ্টা করা হয়, কেউ উত্তর দেওয়া পর্যন্ত। টার্গেট টেনে সরান, অথবা Alt ও তীর-কী দিয়ে।</translation>
    </message>
    <message>
        <source>Connection of the chosen targets</source>
        <translation>বাছাই করা টার্গেটের কানেকশন</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>উপরে</translation>
    </message>
    <message>
        <source>Move the target up</source>
        <translation>টার্গেট উপরে নিন</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>নিচে</translation>
    </message>
    <message>
        <source>Move the target down</source>
        <translation>টার্গেট নিচে নিন</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>সরান</translation>
    </message>
    <message>
        <source>Remove the target</source>
        <translation>টার্গেট সরান</translation>
    </message>
</context>
<context>
    <name>omni::CombosPage</name>
    <message>
        <source>Combos (%1)</source>
        <translation>কম্বো (%1)</translation>
    </message>
    <message>
        <source>Aliases (%1)</source>
        <translation>অ্যালিয়াস (%1)</translation>
    </message>
    <message>
        <source>One combo has a target that leads nowhere.</source>
        <translation>একটি কম্বোর একটি টার্গেট কোথাও যায় না।</translation>
    </message>
    <message>
        <source>%1 combos have targets that lead nowhere.</source>
        <translation>%1টি কম্বোর কিছু টার্গেট কোথাও যায় না।</translation>
    </message>
    <message>
        <source>Names that clients ask for in place of a model.</source>
        <translation>মডেলের জায়গায় ক্লায়েন্ট যে নাম চাইতে পারে।</translation>
    </message>
    <message>
        <source>Add combo…</source>
        <translation>কম্বো যোগ…</translation>
    </message>
    <message>
        <source>Add alias…</source>
        <translation>অ্যালিয়াস যোগ…</translation>
    </message>
    <message>
        <source>The combo “%1” was added.</source>
        <translation>কম্বো “%1” যোগ হয়েছে।</translation>
    </message>
    <message>
        <source>The combo “%1” was saved.</source>
        <translation>কম্বো “%1” সংরক্ষিত হয়েছে।</translation>
    </message>
    <message>
        <source>The alias “%1” was added.</source>
        <translation>অ্যালিয়াস “%1” যোগ হয়েছে।</translation>
    </message>
    <message>
        <source>The alias “%1” was saved.</source>
        <translation>অ্যালিয়াস “%1” সংরক্ষিত হয়েছে।</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>সম্পাদনা…</translation>
    </message>
    <message>
        <source>Duplicate…</source>
        <translation>অনুলিপি…</translation>
    </message>
    <message>
        <source>Show its requests</source>
        <translation>এর রিকোয়েস্ট দেখান</translation>
    </message>
    <message>
        <source>Copy the name</source>
        <translation>নাম কপি</translation>
    </message>
    <message>
        <source>“%1” was copied.</source>
        <translation>“%1” কপি হয়েছে।</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>টেক্সট হিসেবে কপি</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>মুছুন</translation>
    </message>
    <message>
        <source>Combos</source>
        <translation>কম্বো</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>ফিল্টার</translation>
    </message>
    <message>
        <source>Filter combos and aliases</source>
        <translation>কম্বো ও অ্যালিয়াস ফিল্টার</translation>
    </message>
    <message>
        <source>Dry run</source>
        <translation>মহড়া</translation>
    </message>
    <message>
        <source>who would be asked now; nothing is sent</source>
        <translation>এখন কাকে চাওয়া হতো; কিছুই পাঠানো হয় না</translation>
    </message>
    <message>
        <source>Combos or aliases</source>
        <translation>কম্বো বা অ্যালিয়াস</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>সম্পাদনা</translation>
    </message>
    <message>
        <source>No combos yet. A combo is a name for several models in order: when one cannot answer, the next one does, and the client notices nothing.</source>
        <translation>এখনো কোনো কম্বো নেই। কম্বো হলো পর পর সাজানো কয়েকটি মডেলের একটি নাম: একটি উত্তর দিতে না পারলে পরেরটি দেয়, ক্লায়েন্ট টেরও পায় না।</translation>
    </message>
    <message>
        <source>Add a combo</source>
        <translation>কম্বো যোগ করুন</translation>
    </message>
    <message>
        <source>No aliases yet. An alias lets a client that asks for one model get another, or a combo.</source>
        <translation>এখনো কোনো অ্যালিয়াস নেই। অ্যালিয়াস থাকলে ক্লায়েন্ট এক মডেল চাইলে অন্য মডেল বা কম্বো পায়।</translation>
    </message>
    <message>
        <source>Add an alias</source>
        <translation>অ্যালিয়াস যোগ করুন</translation>
    </message>
    <message>
        <source>Nothing matches the filter.</source>
        <translation>ফিল্টারের সঙ্গে কিছুই মেলে না।</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>সব দেখান</translation>
    </message>
    <message>
        <source>Aliases</source>
        <translation>অ্যালিয়াস</translation>
    </message>
</context>
<context>
    <name>omni::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>কমান্ড প্যালেট</translation>
    </message>
    <message>
        <source>A page, an action, a connection, a model, …</source>
        <translation>পাতা, কাজ, কানেকশন, মডেল, …</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>কী করবেন</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>কমান্ড</translation>
    </message>
    <message>
        <source>Nothing is called “%1”.</source>
        <translation>“%1” নামে কিছু নেই।</translation>
    </message>
</context>
<context>
    <name>omni::ConnectionActions</name>
    <message>
        <source>All %1 tests passed.</source>
        <translation>%1টি টেস্টের সবগুলো সফল।</translation>
    </message>
    <message>
        <source>%1 of %2 tests failed: %3</source>
        <translation>%2টি টেস্টের মধ্যে %1টি ব্যর্থ: %3</translation>
    </message>
    <message>
        <source>%1: test passed in %2</source>
        <translation>%1: টেস্ট %2-এ সফল</translation>
    </message>
    <message>
        <source>%1: test passed in %2, %3 models</source>
        <translation>%1: টেস্ট %2-এ সফল, %3টি মডেল</translation>
    </message>
    <message>
        <source>%1: test failed: %2</source>
        <translation>%1: টেস্ট ব্যর্থ: %2</translation>
    </message>
    <message>
        <source>%1 is in use.</source>
        <translation>%1 ব্যবহারে আছে।</translation>
    </message>
    <message>
        <source>%1 connections are in use.</source>
        <translation>%1টি কানেকশন ব্যবহারে আছে।</translation>
    </message>
    <message>
        <source>%1 is disabled.</source>
        <translation>%1 নিষ্ক্রিয়।</translation>
    </message>
    <message>
        <source>%1 connections are disabled.</source>
        <translation>%1টি কানেকশন নিষ্ক্রিয়।</translation>
    </message>
    <message>
        <source>“%1” was added, disabled until you switch it on.</source>
        <translation>“%1” যোগ হয়েছে; আপনি চালু না করা পর্যন্ত নিষ্ক্রিয়।</translation>
    </message>
    <message>
        <source>%1 was deleted.</source>
        <translation>%1 মুছে ফেলা হয়েছে।</translation>
    </message>
    <message>
        <source>%1 connections were deleted.</source>
        <translation>%1টি কানেকশন মুছে ফেলা হয়েছে।</translation>
    </message>
    <message>
        <source>“%1” is back.</source>
        <translation>“%1” ফিরে এসেছে।</translation>
    </message>
    <message>
        <source>%1 connections are back.</source>
        <translation>%1টি কানেকশন ফিরে এসেছে।</translation>
    </message>
    <message>
        <source>One hold was cleared.</source>
        <translation>একটি হোল্ড তুলে নেওয়া হয়েছে।</translation>
    </message>
    <message>
        <source>%1 holds were cleared.</source>
        <translation>%1টি হোল্ড তুলে নেওয়া হয়েছে।</translation>
    </message>
    <message>
        <source>%1 need a new key or credit and stay.</source>
        <translation>%1টির নতুন কী বা ক্রেডিট দরকার, সেগুলো রয়ে গেছে।</translation>
    </message>
    <message>
        <source>%1 offers %2 models.</source>
        <translation>%1-এ %2টি মডেল আছে।</translation>
    </message>
    <message>
        <source>%1: the models could not be listed. %2</source>
        <translation>%1: মডেলের তালিকা পাওয়া যায়নি। %2</translation>
    </message>
    <message>
        <source>The sandbox is ready: ask for a model such as “sandbox/ok”.</source>
        <translation>স্যান্ডবক্স প্রস্তুত: “sandbox/ok”-এর মতো কোনো মডেল চেয়ে দেখুন।</translation>
    </message>
    <message>
        <source>Testing was stopped: %1 of %2 were tested, %3 of them failed.</source>
        <translation>পরীক্ষা থামানো হয়েছে: %2টির মধ্যে %1টি পরীক্ষা হয়েছে, তার মধ্যে %3টি ব্যর্থ।</translation>
    </message>
</context>
<context>
    <name>omni::ConnectionDialog</name>
    <message>
        <source>Edit connection</source>
        <translation>কানেকশন সম্পাদনা</translation>
    </message>
    <message>
        <source>Add a connection</source>
        <translation>কানেকশন যোগ করুন</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>সংরক্ষণ</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>সংরক্ষণ হচ্ছে…</translation>
    </message>
</context>
<context>
    <name>omni::ConnectionForm</name>
    <message>
        <source>stored; leave empty to keep it</source>
        <translation>রাখা আছে; বদলাতে না চাইলে খালি রাখুন</translation>
    </message>
    <message>
        <source>Choose a provider</source>
        <translation>প্রোভাইডার বেছে নিন</translation>
    </message>
    <message>
        <source>New OpenAI-compatible endpoint</source>
        <translation>নতুন OpenAI-সামঞ্জস্যপূর্ণ এন্ডপয়েন্ট</translation>
    </message>
    <message>
        <source>New Anthropic-compatible endpoint</source>
        <translation>নতুন Anthropic-সামঞ্জস্যপূর্ণ এন্ডপয়েন্ট</translation>
    </message>
    <message>
        <source>Any server that speaks this wire format, here or elsewhere.</source>
        <translation>এই ওয়্যার ফরম্যাটে কথা বলে এমন যেকোনো সার্ভার, এখানে বা অন্য কোথাও।</translation>
    </message>
    <message>
        <source>What is changed of the endpoint holds for all of its connections.</source>
        <translation>এন্ডপয়েন্টের পরিবর্তন তার সব কানেকশনের জন্য প্রযোজ্য।</translation>
    </message>
    <message>
        <source>%1 is stored; leave empty to keep it</source>
        <translation>%1 রাখা আছে; বদলাতে না চাইলে খালি রাখুন</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>ঐচ্ছিক</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>name and number of a further connection</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>field: what is missing</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>আরও সেটিংস</translation>
    </message>
    <message>
        <source>Name of the endpoint</source>
        <translation>এন্ডপয়েন্টের নাম</translation>
    </message>
    <message>
        <source>my gateway</source>
        <translation>আমার গেটওয়ে</translation>
    </message>
    <message>
        <source>Prefix</source>
        <translation>প্রিফিক্স</translation>
    </message>
    <message>
        <source>What clients write before the model: prefix/model</source>
        <translation>মডেলের আগে ক্লায়েন্টরা যা লেখে: prefix/model</translation>
    </message>
    <message>
        <source>Base URL of the endpoint</source>
        <translation>এন্ডপয়েন্টের বেস URL</translation>
    </message>
    <message>
        <source>Endpoint</source>
        <translation>এন্ডপয়েন্ট</translation>
    </message>
    <message>
        <source>Base URL</source>
        <translation>বেস URL</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>নাম</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API কী</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>দেখান</translation>
    </message>
    <message>
        <source>Show the key</source>
        <translation>কী দেখান</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>লুকান</translation>
    </message>
    <message>
        <source>Remove the stored key</source>
        <translation>রাখা কী সরান</translation>
    </message>
    <message>
        <source>Leave empty for the provider&apos;s own address.</source>
        <translation>প্রোভাইডারের নিজস্ব ঠিকানার জন্য খালি রাখুন।</translation>
    </message>
    <message>
        <source>Default model</source>
        <translation>ডিফল্ট মডেল</translation>
    </message>
    <message>
        <source>Used by the test, and where a request names no model.</source>
        <translation>টেস্টে এবং যে রিকোয়েস্টে মডেলের নাম নেই সেখানে ব্যবহৃত হয়।</translation>
    </message>
    <message>
        <source>none</source>
        <translation>নেই</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>ব্যবহারে</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>অগ্রাধিকার</translation>
    </message>
    <message>
        <source>Lower is tried first among the connections of one provider.</source>
        <translation>একই প্রোভাইডারের কানেকশনগুলোর মধ্যে কম মানটি আগে চেষ্টা হয়।</translation>
    </message>
    <message>
        <source>At once</source>
        <translation>একসাথে</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>সীমা নেই</translation>
    </message>
    <message>
        <source>Most requests under way at once on this connection.</source>
        <translation>এই কানেকশনে একসাথে সর্বোচ্চ যত রিকোয়েস্ট চলবে।</translation>
    </message>
    <message>
        <source>Never rests after a failure</source>
        <translation>ব্যর্থতার পর কখনো বিশ্রাম নেয় না</translation>
    </message>
    <message>
        <source>Requests go on to this connection even right after it failed. Keys that are refused still stop it.</source>
        <translation>ব্যর্থ হওয়ার ঠিক পরেও এই কানেকশনে রিকোয়েস্ট যেতে থাকে। কী প্রত্যাখ্যাত হলে তবু থামে।</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>প্রক্সি</translation>
    </message>
    <message>
        <source>none; http://, https:// or socks5h://</source>
        <translation>কোনোটি নয়; http://, https:// বা socks5h://</translation>
    </message>
    <message>
        <source>User of the proxy</source>
        <translation>প্রক্সির ব্যবহারকারী</translation>
    </message>
    <message>
        <source>Password of the proxy</source>
        <translation>প্রক্সির পাসওয়ার্ড</translation>
    </message>
    <message>
        <source>Proxy user</source>
        <translation>প্রক্সি ব্যবহারকারী</translation>
    </message>
    <message>
        <source>Proxy password</source>
        <translation>প্রক্সি পাসওয়ার্ড</translation>
    </message>
</context>
<context>
    <name>omni::ConnectionsModel</name>
    <message>
        <source>%1 %2</source>
        <comment>10 serving</comment>
        <translation>%1টি %2</translation>
    </message>
    <message>
        <source>One connection</source>
        <translation>একটি কানেকশন</translation>
    </message>
    <message>
        <source>%1 connections</source>
        <translation>%1টি কানেকশন</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>টেস্ট চলছে…</translation>
    </message>
    <message>
        <source>Test failed: %1</source>
        <translation>টেস্ট ব্যর্থ: %1</translation>
    </message>
    <message>
        <source>Test passed in %1</source>
        <translation>টেস্ট %1-এ সফল</translation>
    </message>
    <message>
        <source>Test passed in %1, %2 models</source>
        <translation>টেস্ট %1-এ সফল, %2টি মডেল</translation>
    </message>
    <message>
        <source>State</source>
        <translation>অবস্থা</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>নাম</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>কী</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>অগ্রাধিকার</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>শেষ ব্যবহার</translation>
    </message>
    <message>
        <source>Last result</source>
        <translation>শেষ ফলাফল</translation>
    </message>
    <message>
        <source>Rests for</source>
        <translation>বিশ্রাম বাকি</translation>
    </message>
    <message>
        <source>one model resting</source>
        <translation>একটি মডেল বিশ্রামে</translation>
    </message>
    <message>
        <source>%1 models resting</source>
        <translation>%1টি মডেল বিশ্রামে</translation>
    </message>
    <message>
        <source>%1 of them with models resting</source>
        <translation>তার %1টির কিছু মডেল বিশ্রামে</translation>
    </message>
</context>
<context>
    <name>omni::ConnectionsPage</name>
    <message>
        <source>Connections</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>ফিল্টার</translation>
    </message>
    <message>
        <source>Filter the connections</source>
        <translation>কানেকশন ফিল্টার করুন</translation>
    </message>
    <message>
        <source>States shown</source>
        <translation>যে অবস্থাগুলো দেখানো হচ্ছে</translation>
    </message>
    <message>
        <source>All states</source>
        <translation>সব অবস্থা</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>সেবা দিচ্ছে</translation>
    </message>
    <message>
        <source>Out of service</source>
        <translation>সেবার বাইরে</translation>
    </message>
    <message>
        <source>Disabled</source>
        <translation>নিষ্ক্রিয়</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>যোগ করুন…</translation>
    </message>
    <message>
        <source>Add a connection</source>
        <translation>কানেকশন যোগ করুন</translation>
    </message>
    <message>
        <source>No connection matches the filter.</source>
        <translation>ফিল্টারের সাথে কোনো কানেকশন মেলে না।</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>সব দেখান</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>সম্পাদনা</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>টেস্ট</translation>
    </message>
    <message>
        <source>Disable</source>
        <translation>নিষ্ক্রিয় করুন</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>প্রতিলিপি</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>মুছুন</translation>
    </message>
    <message>
        <source>No connections yet. Add the key of a provider, or a server of your own: every client of this proxy can then use it. Or look around first with the sandbox, which needs no key.</source>
        <translation>এখনো কোনো কানেকশন নেই। কোনো প্রোভাইডারের কী বা নিজের সার্ভার যোগ করুন: তখন এই প্রক্সির প্রতিটি ক্লায়েন্ট তা ব্যবহার করতে পারবে। অথবা আগে স্যান্ডবক্স দিয়ে ঘুরে দেখুন, তাতে কী লাগে না।</translation>
    </message>
    <message>
        <source>Try the sandbox</source>
        <translation>স্যান্ডবক্স চেষ্টা করুন</translation>
    </message>
    <message>
        <source>Keys and servers that requests may go to.</source>
        <translation>রিকোয়েস্ট যেসব কী ও সার্ভারে যেতে পারে।</translation>
    </message>
    <message>
        <source>Enable</source>
        <translation>সক্রিয় করুন</translation>
    </message>
    <message>
        <source>“%1” was added.</source>
        <translation>“%1” যোগ হয়েছে।</translation>
    </message>
    <message>
        <source>“%1” was saved.</source>
        <translation>“%1” সংরক্ষিত হয়েছে।</translation>
    </message>
    <message>
        <source>Add a connection…</source>
        <translation>কানেকশন যোগ করুন…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>সম্পাদনা…</translation>
    </message>
    <message>
        <source>Clear the hold now</source>
        <translation>এখনই হোল্ড তুলে নিন</translation>
    </message>
    <message>
        <source>List its models anew</source>
        <translation>মডেলের তালিকা নতুন করে আনুন</translation>
    </message>
    <message>
        <source>Show its requests</source>
        <translation>এর রিকোয়েস্ট দেখান</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>টেক্সট হিসেবে কপি</translation>
    </message>
    <message>
        <source>Clear now</source>
        <translation>এখনই তুলুন</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>কেন?</translation>
    </message>
    <message>
        <source>What keeps the connection, or models of it, out of service.</source>
        <translation>কানেকশনটি বা তার কোনো মডেল কেন সেবার বাইরে।</translation>
    </message>
    <message>
        <source>Tests that are through</source>
        <translation>যত পরীক্ষা শেষ হয়েছে</translation>
    </message>
    <message>
        <source>Test all</source>
        <translation>সব পরীক্ষা</translation>
    </message>
    <message>
        <source>Tests every connection that is shown. A test that fails changes nothing about how requests are routed.</source>
        <translation>দেখানো প্রতিটি কানেকশন পরীক্ষা করে। পরীক্ষা ব্যর্থ হলে রিকোয়েস্ট কোথায় যাবে তাতে কিছুই বদলায় না।</translation>
    </message>
    <message>
        <source>Nothing had to be changed.</source>
        <translation>বদলানোর কিছু ছিল না।</translation>
    </message>
    <message>
        <source>One connection was changed.</source>
        <translation>একটি কানেকশন বদলানো হয়েছে।</translation>
    </message>
    <message>
        <source>%1 connections were changed.</source>
        <translation>%1টি কানেকশন বদলানো হয়েছে।</translation>
    </message>
    <message>
        <source>The connection is as it was.</source>
        <translation>কানেকশনটি আগের মতো হয়েছে।</translation>
    </message>
    <message>
        <source>%1 connections are as they were.</source>
        <translation>%1টি কানেকশন আগের মতো হয়েছে।</translation>
    </message>
    <message>
        <source>Stop (%1 of %2)</source>
        <comment>tests</comment>
        <translation>থামান (%2টির %1টি)</translation>
    </message>
    <message>
        <source>Sort by provider or priority to drag connections into another order.</source>
        <translation>কানেকশন টেনে ক্রম বদলাতে প্রোভাইডার বা অগ্রাধিকার অনুযায়ী সাজান।</translation>
    </message>
    <message>
        <source>Priorities are told within one provider: move connections of one at a time.</source>
        <translation>অগ্রাধিকার একটি প্রোভাইডারের ভেতরে ধরা হয়: একবারে এক প্রোভাইডারের কানেকশন সরান।</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>ইমপোর্ট…</translation>
    </message>
    <message>
        <source>Import keys that lie on this computer</source>
        <translation>এই কম্পিউটারে থাকা কী ইমপোর্ট করুন</translation>
    </message>
    <message>
        <source>Import keys that lie on this computer…</source>
        <translation>এই কম্পিউটারে থাকা কী ইমপোর্ট করুন…</translation>
    </message>
    <message>
        <source>%1 connections were added.</source>
        <translation>%1টি কানেকশন যোগ হয়েছে।</translation>
    </message>
</context>
<context>
    <name>omni::ConsideredModel</name>
    <message>
        <source>chosen</source>
        <translation>নির্বাচিত</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>প্রস্তুত</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>এত দূর যাবে না</translation>
    </message>
    <message>
        <source>The request would go here.</source>
        <translation>রিকোয়েস্ট এখানে যেত।</translation>
    </message>
    <message>
        <source>A request is tried %1 times at most (Settings, Routing).</source>
        <translation>একটি রিকোয়েস্ট সর্বোচ্চ %1 বার চেষ্টা করা হয় (সেটিংস, রাউটিং)।</translation>
    </message>
    <message>
        <source>Would be tried next, as number %1.</source>
        <translation>এরপর চেষ্টা করা হতো, %1 নম্বরে।</translation>
    </message>
    <message>
        <source>The connection is switched off.</source>
        <translation>কানেকশনটি বন্ধ করা আছে।</translation>
    </message>
    <message>
        <source>The connection has no key.</source>
        <translation>কানেকশনটির কী নেই।</translation>
    </message>
    <message>
        <source>The connection’s key cannot be read.</source>
        <translation>কানেকশনটির কী পড়া যাচ্ছে না।</translation>
    </message>
    <message>
        <source>The provider has shut the account out.</source>
        <translation>প্রোভাইডার অ্যাকাউন্টটি নিষিদ্ধ করেছে।</translation>
    </message>
    <message>
        <source>The provider refused the key.</source>
        <translation>প্রোভাইডার কী প্রত্যাখ্যান করেছে।</translation>
    </message>
    <message>
        <source>The account is out of credit.</source>
        <translation>অ্যাকাউন্টে ক্রেডিট নেই।</translation>
    </message>
    <message>
        <source>The provider failed too often: its breaker is open.</source>
        <translation>প্রোভাইডার বারবার ব্যর্থ হয়েছে: তার ব্রেকার ওপেন।</translation>
    </message>
    <message>
        <source>The connection rests after a failure.</source>
        <translation>ব্যর্থতার পরে কানেকশনটি বিশ্রামে আছে।</translation>
    </message>
    <message>
        <source>This model rests on this connection.</source>
        <translation>এই কানেকশনে মডেলটি বিশ্রামে আছে।</translation>
    </message>
    <message>
        <source>The whole provider rests.</source>
        <translation>পুরো প্রোভাইডারটি বিশ্রামে আছে।</translation>
    </message>
    <message>
        <source>The provider does not speak the client’s wire format (%1).</source>
        <translation>প্রোভাইডার ক্লায়েন্টের ফরম্যাট (%1) বোঝে না।</translation>
    </message>
    <message>
        <source>The connection does not list this model.</source>
        <translation>কানেকশনের তালিকায় এই মডেল নেই।</translation>
    </message>
    <message>
        <source>The client’s key may not use it.</source>
        <translation>ক্লায়েন্টের কী দিয়ে এটি ব্যবহার করা যায় না।</translation>
    </message>
    <message>
        <source>The combo has named it before.</source>
        <translation>কম্বোতে এটি আগেই আছে।</translation>
    </message>
    <message>
        <source>No.</source>
        <comment>place in the list of targets</comment>
        <translation>নং</translation>
    </message>
    <message>
        <source>State</source>
        <translation>অবস্থা</translation>
    </message>
    <message>
        <source>Rests for</source>
        <translation>বিশ্রাম বাকি</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>কেন</translation>
    </message>
</context>
<context>
    <name>omni::CooldownsPage</name>
    <message>
        <source>There are no connections yet. Once there are, those that rest are listed here, with the reason.</source>
        <translation>এখনো কোনো কানেকশন নেই। যোগ করার পর যেগুলো বিশ্রামে থাকবে সেগুলো কারণসহ এখানে দেখা যাবে।</translation>
    </message>
    <message>
        <source>Add a connection</source>
        <translation>কানেকশন যোগ করুন</translation>
    </message>
    <message>
        <source>Nothing is out of service: every connection takes requests. A key that rests is listed here, with the reason.</source>
        <translation>কিছুই সেবার বাইরে নেই: প্রতিটি কানেকশন রিকোয়েস্ট নিচ্ছে। কোনো কী বিশ্রামে গেলে কারণসহ এখানে দেখা যাবে।</translation>
    </message>
    <message>
        <source>Nothing that is out of service matches the filter.</source>
        <translation>সেবার বাইরে থাকা কিছুই ফিল্টারের সাথে মেলে না।</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>সব দেখান</translation>
    </message>
    <message>
        <source>A terminal state is not cleared here: give the connection another key, or test it on its own page.</source>
        <translation>চূড়ান্ত অবস্থা এখান থেকে তোলা যায় না: কানেকশনটিকে অন্য কী দিন, অথবা তার নিজের পৃষ্ঠায় টেস্ট করুন।</translation>
    </message>
    <message>
        <source>Clear all…</source>
        <translation>সব তুলুন…</translation>
    </message>
    <message>
        <source>Clear all of %1…</source>
        <translation>%1-এর সব তুলুন…</translation>
    </message>
    <message>
        <source>Choose a line to see why it is held.</source>
        <translation>কেন আটকে আছে দেখতে একটি সারি বেছে নিন।</translation>
    </message>
    <message>
        <source>“%1” is in service again. Choose a line to see why it is held.</source>
        <translation>“%1” আবার সেবায় ফিরেছে। কেন আটকে আছে দেখতে একটি সারি বেছে নিন।</translation>
    </message>
    <message>
        <source>Clear all?</source>
        <translation>সব তুলবেন?</translation>
    </message>
    <message>
        <source>Clear all of %1?</source>
        <translation>%1-এর সব তুলবেন?</translation>
    </message>
    <message>
        <source>Requests go to them again at once, although what made them rest may not be over. Rests that end: %1. Model lockouts that end: %2. Terminal states stay.</source>
        <translation>বিশ্রামের কারণ শেষ না হয়ে থাকলেও রিকোয়েস্ট সাথে সাথেই আবার এগুলোতে যাবে। যত বিশ্রাম শেষ হবে: %1। যত মডেল লকআউট শেষ হবে: %2। চূড়ান্ত অবস্থা থেকে যাবে।</translation>
    </message>
    <message>
        <source>Clear all</source>
        <translation>সব তুলুন</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>কেন?</translation>
    </message>
    <message>
        <source>Clear now</source>
        <translation>এখনই তুলুন</translation>
    </message>
    <message>
        <source>Clear the selected now</source>
        <translation>নির্বাচিতগুলো এখনই তুলুন</translation>
    </message>
    <message>
        <source>Unfold all models</source>
        <translation>সব মডেল খুলে দেখান</translation>
    </message>
    <message>
        <source>Fold all models</source>
        <translation>সব মডেল গুটিয়ে রাখুন</translation>
    </message>
    <message>
        <source>Open the connection</source>
        <translation>কানেকশন খুলুন</translation>
    </message>
    <message>
        <source>Show its requests</source>
        <translation>এর রিকোয়েস্ট দেখান</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>টেক্সট হিসেবে কপি</translation>
    </message>
    <message>
        <source>Cooldown Manager</source>
        <translation>কুলডাউন ম্যানেজার</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>ফিল্টার</translation>
    </message>
    <message>
        <source>Filter what is out of service</source>
        <translation>সেবার বাইরে যা আছে তা ফিল্টার করুন</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>All providers</source>
        <translation>সব প্রোভাইডার</translation>
    </message>
    <message>
        <source>States shown</source>
        <translation>যে অবস্থাগুলো দেখানো হচ্ছে</translation>
    </message>
    <message>
        <source>All states</source>
        <translation>সব অবস্থা</translation>
    </message>
    <message>
        <source>Passing</source>
        <translation>সাময়িক</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>চূড়ান্ত</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>নিয়ম</translation>
    </message>
    <message>
        <source>Clear selected</source>
        <translation>নির্বাচিত তুলুন</translation>
    </message>
    <message>
        <source>Ends every passing hold. Terminal states stay as they are.</source>
        <translation>প্রতিটি সাময়িক হোল্ড শেষ করে। চূড়ান্ত অবস্থা যেমন আছে তেমনই থাকে।</translation>
    </message>
    <message>
        <source>Out of service</source>
        <translation>সেবার বাইরে</translation>
    </message>
    <message>
        <source>What is known was copied as text.</source>
        <translation>যা জানা আছে তা টেক্সট হিসেবে কপি হয়েছে।</translation>
    </message>
</context>
<context>
    <name>omni::DayBars</name>
    <message>
        <source>%1. Highest: %2. Latest: %3.</source>
        <translation>%1। সর্বোচ্চ: %2। সর্বশেষ: %3।</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>দিন</translation>
    </message>
    <message>
        <source>Copy values</source>
        <translation>মানগুলো কপি করুন</translation>
    </message>
</context>
<context>
    <name>omni::Demonstration</name>
    <message>
        <source>Asks for sandbox/503 again and again, which fails like a server that is down, until the breaker of the sandbox is open. Between two requests it ends the cooldown of the connection, which would keep the next one back. Failures count once in five seconds, so this takes about a minute.</source>
        <translation>বারবার sandbox/503 চায়, যা অচল সার্ভারের মতো ব্যর্থ হয়, যতক্ষণ না স্যান্ডবক্সের ব্রেকার ওপেন হয়। দুই অনুরোধের মাঝে কানেকশনের কুলডাউন তুলে দেয়, নইলে পরেরটি আটকে যেত। পাঁচ সেকেন্ডে একটি ব্যর্থতাই গোনা হয়, তাই এতে মিনিটখানেক লাগে।</translation>
    </message>
    <message>
        <source>The sandbox&apos;s breaker is open. Its band has turned red, and its countdown runs.</source>
        <translation>স্যান্ডবক্সের ব্রেকার ওপেন। তার ফিতে লাল হয়ে গেছে, কাউন্টডাউন চলছে।</translation>
    </message>
    <message>
        <source>Asks for a model that answers with 429 and “come back in 30 seconds”. The connection rests that long.</source>
        <translation>এমন মডেল চায় যা 429 আর “30 সেকেন্ড পরে আসুন” বলে। কানেকশনটি ততক্ষণ বিশ্রাম নেয়।</translation>
    </message>
    <message>
        <source>The sandbox rests for 30 seconds.</source>
        <translation>স্যান্ডবক্স 30 সেকেন্ড বিশ্রামে।</translation>
    </message>
    <message>
        <source>Asks for a model that is not there, and then for one that is. Only the first is locked.</source>
        <translation>প্রথমে নেই এমন মডেল চায়, তারপর আছে এমন একটি। শুধু প্রথমটিই আটকায়।</translation>
    </message>
    <message>
        <source>One model of the sandbox is locked; the connection goes on serving the others.</source>
        <translation>স্যান্ডবক্সের একটি মডেল আটকানো; কানেকশনটি অন্যগুলো দিয়ে চলেছে।</translation>
    </message>
    <message>
        <source>Asks for a model that answers “your account has been deactivated”. The sandbox is then out of service until you end that, with the button of the message below.</source>
        <translation>এমন মডেল চায় যা বলে “আপনার অ্যাকাউন্ট বন্ধ করা হয়েছে”। তখন নিচের বার্তার বোতাম দিয়ে আপনি শেষ না করা পর্যন্ত স্যান্ডবক্স সেবার বাইরে থাকে।</translation>
    </message>
    <message>
        <source>The sandbox is banned now. No time ends that; you can.</source>
        <translation>স্যান্ডবক্স এখন নিষিদ্ধ। সময়ে এটি কাটে না; আপনি পারেন।</translation>
    </message>
    <message>
        <source>Asks for a model that names the end of its limit only in a header of Anthropic&apos;s kind, 45 seconds from now.</source>
        <translation>এমন মডেল চায় যা তার সীমার শেষ শুধু Anthropic-ধরনের হেডারে জানায়, এখন থেকে 45 সেকেন্ড পরে।</translation>
    </message>
    <message>
        <source>The sandbox rests until the moment that was named. “Why?” tells where it was read.</source>
        <translation>বলা মুহূর্ত পর্যন্ত স্যান্ডবক্স বিশ্রামে। কোথায় পড়া হলো তা “কেন?” জানায়।</translation>
    </message>
    <message>
        <source>Makes a combo “show-me” of two targets, sandbox/404-model and sandbox/ok, and asks for it. The first fails; the second answers.</source>
        <translation>দুটি টার্গেট sandbox/404-model আর sandbox/ok দিয়ে “show-me” কম্বো বানায়, আর সেটি চায়। প্রথমটি ব্যর্থ হয়; দ্বিতীয়টি উত্তর দেয়।</translation>
    </message>
    <message>
        <source>Both attempts stand in the request, and the program saw only the good one.</source>
        <translation>অনুরোধে দুটি চেষ্টাই আছে, অথচ প্রোগ্রাম দেখেছে শুধু ভালোটি।</translation>
    </message>
    <message>
        <source>Asks for an answer at once, and for one that comes word by word.</source>
        <translation>একটি উত্তর চায় সঙ্গে সঙ্গে, আরেকটি শব্দে শব্দে।</translation>
    </message>
    <message>
        <source>The newest requests are these. Their waterfalls show where the time went.</source>
        <translation>সবচেয়ে নতুন অনুরোধগুলো এগুলোই। ধাপচিত্রে দেখা যায় সময় কোথায় গেল।</translation>
    </message>
    <message>
        <source>Sends a request whose head is longer than allowed. It is refused with 431 before any provider is asked.</source>
        <translation>অনুমোদিতের চেয়ে লম্বা হেডারের অনুরোধ পাঠায়। কোনো প্রোভাইডারকে জিজ্ঞেস করার আগেই 431 দিয়ে ফেরানো হয়।</translation>
    </message>
    <message>
        <source>The proxy answered HTTP 431. The limit stands here, as “Largest request head”.</source>
        <translation>প্রক্সি উত্তর দিয়েছে HTTP 431। সীমাটি এখানেই আছে, “সবচেয়ে বড় রিকোয়েস্ট হেড” নামে।</translation>
    </message>
    <message>
        <source>Asks for a model nobody has, for one that finds the request at fault, and for one that breaks off in the middle.</source>
        <translation>কারও নেই এমন মডেল চায়, একটি যা অনুরোধেই দোষ পায়, আর একটি যা মাঝপথে ছিঁড়ে যায়।</translation>
    </message>
    <message>
        <source>The newest three requests are these errors, each with its story.</source>
        <translation>সবচেয়ে নতুন তিনটি অনুরোধ এই ত্রুটিগুলো, প্রতিটির নিজের কাহিনিসহ।</translation>
    </message>
    <message>
        <source>Sends one request to the sandbox, the way any program would.</source>
        <translation>স্যান্ডবক্সে একটি অনুরোধ পাঠায়, যেকোনো প্রোগ্রাম যেভাবে পাঠায়।</translation>
    </message>
    <message>
        <source>The newest request is this one.</source>
        <translation>সবচেয়ে নতুন অনুরোধটি এটিই।</translation>
    </message>
</context>
<context>
    <name>omni::Demonstrator</name>
    <message>
        <source>The proxy is stopped. Start it first, with the button at the top.</source>
        <translation>প্রক্সি বন্ধ। আগে ওপরের বোতাম দিয়ে চালু করুন।</translation>
    </message>
    <message>
        <source>The sandbox does not run, so there is nothing to show it in.</source>
        <translation>স্যান্ডবক্স চলছে না, তাই দেখানোর জায়গা নেই।</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>থামানো হয়েছে।</translation>
    </message>
    <message>
        <source>Show me</source>
        <comment>name of a client key for the time of a demonstration</comment>
        <translation>দেখান</translation>
    </message>
    <message>
        <source>The sandbox&apos;s connection is gone.</source>
        <translation>স্যান্ডবক্সের কানেকশন আর নেই।</translation>
    </message>
    <message>
        <source>The breaker did not open. Are its thresholds very high?</source>
        <translation>ব্রেকার ওপেন হয়নি। তার সীমাগুলো কি খুব উঁচু?</translation>
    </message>
    <message>
        <source>Show me how it works.</source>
        <translation>কীভাবে কাজ করে দেখান।</translation>
    </message>
    <message>
        <source>Asking for %1…</source>
        <translation>%1 চাওয়া হচ্ছে…</translation>
    </message>
    <message>
        <source>No answer from the proxy: %1</source>
        <translation>প্রক্সি থেকে উত্তর নেই: %1</translation>
    </message>
    <message>
        <source>The proxy did not refuse it: %1</source>
        <translation>প্রক্সি এটি ফেরায়নি: %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 failures that count; the breaker is %2.</source>
        <translation>গোনা হয় এমন ব্যর্থতা %1টি; ব্রেকার %2।</translation>
    </message>
</context>
<context>
    <name>omni::DesktopProgram</name>
    <message>
        <source>OmniRoute runs already with this data folder, but it does not answer: %1</source>
        <translation>এই ডেটা ফোল্ডার নিয়ে OmniRoute আগে থেকেই চলছে, কিন্তু সাড়া দিচ্ছে না: %1</translation>
    </message>
    <message>
        <source>OmniRoute does not run with this data folder: %1</source>
        <translation>এই ডেটা ফোল্ডার নিয়ে OmniRoute চলছে না: %1</translation>
    </message>
    <message>
        <source>OmniRoute cannot start</source>
        <translation>OmniRoute চালু হতে পারছে না</translation>
    </message>
    <message>
        <source>The database was damaged. It was kept as %1; %2</source>
        <translation>ডেটাবেস ক্ষতিগ্রস্ত ছিল। সেটি %1 নামে রাখা হয়েছে; %2</translation>
    </message>
    <message>
        <source>OmniRoute goes on in the tray</source>
        <translation>OmniRoute ট্রে-তে চলছে</translation>
    </message>
    <message>
        <source>It keeps serving. Its icon opens this window again, and ends it.</source>
        <translation>এটি সেবা দিয়ে যাচ্ছে। ট্রে-এর আইকন থেকে এই উইন্ডো আবার খোলা যায়, বন্ধও করা যায়।</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>বন্ধ করুন</translation>
    </message>
    <message>
        <source>The backup was not restored. %1</source>
        <translation>ব্যাকআপ পুনরুদ্ধার হয়নি। %1</translation>
    </message>
    <message>
        <source>The backup was restored. What was there before is among the backups.</source>
        <translation>ব্যাকআপ পুনরুদ্ধার হয়েছে। আগে যা ছিল তা ব্যাকআপগুলোর মধ্যে আছে।</translation>
    </message>
    <message>
        <source>The backup was restored.</source>
        <translation>ব্যাকআপ পুনরুদ্ধার হয়েছে।</translation>
    </message>
</context>
<context>
    <name>omni::DiffView</name>
    <message>
        <source>%1 (new)</source>
        <translation>%1 (নতুন)</translation>
    </message>
</context>
<context>
    <name>omni::DryRunPanel</name>
    <message>
        <source>Why?</source>
        <translation>কেন?</translation>
    </message>
    <message>
        <source>Open connection</source>
        <translation>কানেকশন খুলুন</translation>
    </message>
    <message>
        <source>Choose a combo or an alias, or write a model as a client would: here you see who would be asked now, and why not the others. Nothing is sent.</source>
        <translation>একটি কম্বো বা অ্যালিয়াস বেছে নিন, অথবা ক্লায়েন্টের মতো করে মডেলের নাম লিখুন: এখন কাকে চাওয়া হতো আর অন্যদের কেন নয়, তা এখানে দেখবেন। কিছুই পাঠানো হয় না।</translation>
    </message>
    <message>
        <source>Name to try</source>
        <translation>যে নাম দেখবেন</translation>
    </message>
    <message>
        <source>Combo, alias, model or provider/model</source>
        <translation>কম্বো, অ্যালিয়াস, মডেল বা provider/model</translation>
    </message>
    <message>
        <source>How the client asks</source>
        <translation>ক্লায়েন্ট কীভাবে চায়</translation>
    </message>
    <message>
        <source>Any wire format</source>
        <translation>যেকোনো ফরম্যাট</translation>
    </message>
    <message>
        <source>Whose key</source>
        <translation>কার কী</translation>
    </message>
    <message>
        <source>Whose key the client sends: what it may not use is left out.</source>
        <translation>ক্লায়েন্ট কার কী পাঠায়: সেই কী যা ব্যবহার করতে পারে না তা বাদ যায়।</translation>
    </message>
    <message>
        <source>The first is back in %1.</source>
        <translation>প্রথমটি ফিরবে %1 পরে।</translation>
    </message>
    <message>
        <source>Targets in the order of trying</source>
        <translation>চেষ্টার ক্রমে টার্গেট</translation>
    </message>
    <message>
        <source>Any client</source>
        <translation>যেকোনো ক্লায়েন্ট</translation>
    </message>
    <message>
        <source>“%1” goes to %2 as %3.</source>
        <comment>name, connection, model</comment>
        <translation>“%1” যাবে %2-এ, %3 হিসেবে।</translation>
    </message>
    <message>
        <source>One before it is left out.</source>
        <translation>তার আগের একটি বাদ গেছে।</translation>
    </message>
    <message>
        <source>%1 before it are left out.</source>
        <translation>তার আগের %1টি বাদ গেছে।</translation>
    </message>
    <message>
        <source>Nobody can answer “%1” now.</source>
        <translation>এখন কেউ “%1”-এর উত্তর দিতে পারবে না।</translation>
    </message>
    <message>
        <source>asked as %1</source>
        <translation>%1 হিসেবে চাওয়া</translation>
    </message>
    <message>
        <source>only the first %1 are shown</source>
        <translation>শুধু প্রথম %1টি দেখানো হচ্ছে</translation>
    </message>
    <message>
        <source>Clear now</source>
        <translation>এখনই তুলুন</translation>
    </message>
    <message>
        <source>One hold was cleared.</source>
        <translation>একটি হোল্ড তুলে নেওয়া হয়েছে।</translation>
    </message>
    <message>
        <source>%1 holds were cleared.</source>
        <translation>%1টি হোল্ড তুলে নেওয়া হয়েছে।</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>টেক্সট হিসেবে কপি</translation>
    </message>
</context>
<context>
    <name>omni::EvidencePanel</name>
    <message>
        <source>%1 left</source>
        <comment>time</comment>
        <translation>%1 বাকি</translation>
    </message>
    <message>
        <source>What is known</source>
        <translation>যা জানা আছে</translation>
    </message>
    <message>
        <source>Clear now</source>
        <translation>এখনই তুলুন</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>সম্পাদনা</translation>
    </message>
    <message>
        <source>Open the connection, where what ends this can be done</source>
        <translation>কানেকশনটি খোলে, যেখানে এটি শেষ করার কাজটি করা যায়</translation>
    </message>
    <message>
        <source>Open request</source>
        <translation>রিকোয়েস্ট খুলুন</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>কপি</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>যা ঘটেছে</translation>
    </message>
    <message>
        <source>This connection, last hour</source>
        <translation>এই কানেকশন, গত এক ঘণ্টা</translation>
    </message>
</context>
<context>
    <name>omni::ExportDialog</name>
    <message>
        <source>&amp;Without keys</source>
        <translation>কী ছাড়া</translation>
    </message>
    <message>
        <source>With the &amp;keys, encrypted under a passphrase</source>
        <translation>পাসফ্রেজে এনক্রিপ্ট করা কীসহ</translation>
    </message>
    <message>
        <source>Choose the file…</source>
        <translation>ফাইল বেছে নিন…</translation>
    </message>
    <message>
        <source>Export the configuration</source>
        <translation>কনফিগারেশন এক্সপোর্ট</translation>
    </message>
    <message>
        <source>The file holds connections, endpoints, combos, aliases, client keys (as fingerprints), prices and settings. The request log and the usage figures are not in it.</source>
        <translation>ফাইলে থাকে কানেকশন, এন্ডপয়েন্ট, কম্বো, অ্যালিয়াস, ক্লায়েন্ট কী (ছাপ হিসেবে), দাম আর সেটিংস। রিকোয়েস্ট লগ ও ব্যবহারের হিসাব এতে থাকে না।</translation>
    </message>
    <message>
        <source>Where it is imported, the keys have to be entered by hand.</source>
        <translation>যেখানে ইমপোর্ট হবে সেখানে কীগুলো হাতে দিতে হবে।</translation>
    </message>
    <message>
        <source>Who has the file and the passphrase has your keys. It cannot be recovered when it is forgotten.</source>
        <translation>ফাইল আর পাসফ্রেজ যার কাছে আছে, আপনার কী-ও তার কাছে আছে। পাসফ্রেজ ভুলে গেলে উদ্ধার করা যায় না।</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>পাসফ্রেজ</translation>
    </message>
    <message>
        <source>Passphrase once more</source>
        <translation>আরেকবার পাসফ্রেজ</translation>
    </message>
    <message>
        <source>Once more</source>
        <translation>আরেকবার</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>At least %1 characters.</source>
        <translation>অন্তত %1টি অক্ষর।</translation>
    </message>
    <message>
        <source>It is not the same.</source>
        <translation>একই হয়নি।</translation>
    </message>
</context>
<context>
    <name>omni::HeadersModel</name>
    <message>
        <source>answer</source>
        <translation>উত্তর</translation>
    </message>
    <message>
        <source>request</source>
        <translation>রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>কার</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>হেডার</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>মান</translation>
    </message>
</context>
<context>
    <name>omni::HeldModel</name>
    <message>
        <source>OAuth</source>
        <translation>OAuth</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API কী</translation>
    </message>
    <message>
        <source>local</source>
        <translation>স্থানীয়</translation>
    </message>
    <message>
        <source>model</source>
        <comment>a line beneath a connection: this model of it rests</comment>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>How often in a row it was left out</source>
        <translation>পরপর কতবার বাদ পড়েছে</translation>
    </message>
    <message>
        <source>Backoff level: steps climbed on the ladder of rests</source>
        <translation>ব্যাকঅফ স্তর: বিশ্রামের সিঁড়িতে যত ধাপ ওঠা হয়েছে</translation>
    </message>
    <message>
        <source>Failures of this model that count</source>
        <translation>এই মডেলের যত ব্যর্থতা গোনা হচ্ছে</translation>
    </message>
    <message>
        <source>Steps climbed on the ladder of rests; of a model, its failures that count</source>
        <translation>বিশ্রামের সিঁড়িতে যত ধাপ ওঠা হয়েছে; মডেলের ক্ষেত্রে যত ব্যর্থতা গোনা হচ্ছে</translation>
    </message>
    <message>
        <source>State</source>
        <translation>অবস্থা</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>কারণ</translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation>বাকি</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>স্তর</translation>
    </message>
    <message>
        <source>Last error</source>
        <translation>শেষ ত্রুটি</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>যখন থেকে</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>যে পর্যন্ত</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>প্রবেশ</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>10 resting</comment>
        <translation>%1টি %2</translation>
    </message>
    <message>
        <source>What routing leaves out for now, and why.</source>
        <translation>রাউটিং এখন কী বাদ রাখছে, এবং কেন।</translation>
    </message>
</context>
<context>
    <name>omni::HeldRow</name>
    <message>
        <source>no connection</source>
        <translation>কোনো কানেকশন নেই</translation>
    </message>
    <message>
        <source>all %1 connections</source>
        <translation>সব %1টি কানেকশন</translation>
    </message>
    <message>
        <source>needs a key</source>
        <translation>কী দরকার</translation>
    </message>
    <message>
        <source>enter its key again</source>
        <translation>কী আবার দিন</translation>
    </message>
    <message>
        <source>needs another key</source>
        <translation>অন্য কী দরকার</translation>
    </message>
    <message>
        <source>needs a new key</source>
        <translation>নতুন কী দরকার</translation>
    </message>
    <message>
        <source>top up, then test</source>
        <translation>টপ-আপ করে টেস্ট করুন</translation>
    </message>
    <message>
        <source>breaker, %1</source>
        <translation>ব্রেকার, %1</translation>
    </message>
    <message>
        <source>breaker</source>
        <translation>ব্রেকার</translation>
    </message>
    <message>
        <source>provider cooldown</source>
        <translation>প্রোভাইডার কুলডাউন</translation>
    </message>
    <message>
        <source>no key was entered</source>
        <translation>কী দেওয়া হয়নি</translation>
    </message>
    <message>
        <source>the key cannot be read</source>
        <translation>কী পড়া যাচ্ছে না</translation>
    </message>
</context>
<context>
    <name>omni::HelpPage</name>
    <message>
        <source>Show me</source>
        <translation>দেখান</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>সহায়তা</translation>
    </message>
    <message>
        <source>How OmniRoute works, and how to see it work.</source>
        <translation>OmniRoute কীভাবে কাজ করে, আর কীভাবে তা চোখে দেখা যায়।</translation>
    </message>
    <message>
        <source>Find in the guide</source>
        <translation>নির্দেশিকায় খুঁজুন</translation>
    </message>
    <message>
        <source>Pages of the guide</source>
        <translation>নির্দেশিকার পাতা</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>নির্দেশিকা</translation>
    </message>
    <message>
        <source>&amp;Show me</source>
        <translation>দেখান (&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>থামান (&amp;S)</translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>প্রস্তুতি চলছে…</translation>
    </message>
</context>
<context>
    <name>omni::HoldEvents</name>
    <message>
        <source>answered</source>
        <translation>উত্তর দিয়েছে</translation>
    </message>
    <message>
        <source>answered %1 requests</source>
        <translation>%1টি রিকোয়েস্টের উত্তর দিয়েছে</translation>
    </message>
    <message>
        <source>One request went to “%1”.</source>
        <translation>একটি রিকোয়েস্ট “%1”-এ গেছে।</translation>
    </message>
    <message>
        <source>%1 requests went to “%2”.</source>
        <translation>%1টি রিকোয়েস্ট “%2”-এ গেছে।</translation>
    </message>
    <message>
        <source>%1 requests went to others, most of them to “%2”.</source>
        <translation>%1টি রিকোয়েস্ট অন্যদের কাছে গেছে, বেশিরভাগ “%2”-এ।</translation>
    </message>
    <message>
        <source>One request found nobody.</source>
        <translation>একটি রিকোয়েস্ট কাউকে পায়নি।</translation>
    </message>
    <message>
        <source>%1 requests found nobody.</source>
        <translation>%1টি রিকোয়েস্ট কাউকে পায়নি।</translation>
    </message>
    <message>
        <source>Meanwhile</source>
        <translation>এর মধ্যে</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>status, reason</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <comment>what failed, model</comment>
        <translation>%2-এ %1</translation>
    </message>
    <message>
        <source>%1, after %2 failures</source>
        <comment>state</comment>
        <translation>%1, %2টি ব্যর্থতার পর</translation>
    </message>
    <message>
        <source>%1, after one failure</source>
        <comment>state</comment>
        <translation>%1, একটি ব্যর্থতার পর</translation>
    </message>
</context>
<context>
    <name>omni::HoldNotifier</name>
    <message>
        <source>%1: %2</source>
        <comment>who, state</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Out of service</source>
        <translation>সেবার বাইরে</translation>
    </message>
    <message>
        <source>%1 serves again.</source>
        <translation>%1 আবার সেবা দিচ্ছে।</translation>
    </message>
    <message>
        <source>Back in service</source>
        <translation>আবার সেবায়</translation>
    </message>
    <message>
        <source>Out of service, and back</source>
        <translation>সেবার বাইরে, আর আবার সেবায়</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>আরও %1টি</translation>
    </message>
</context>
<context>
    <name>omni::HoldStory</name>
    <message>
        <source>%1 on %2</source>
        <comment>model, connection</comment>
        <translation>%2-এ %1</translation>
    </message>
    <message>
        <source>Why is “%1” out of service?</source>
        <translation>“%1” কেন সেবার বাইরে?</translation>
    </message>
    <message>
        <source>Why do models of “%1” rest?</source>
        <translation>“%1”-এর মডেল কেন বিশ্রামে?</translation>
    </message>
    <message>
        <source>Why does nothing go to “%1”?</source>
        <translation>“%1”-এ কেন কিছু যাচ্ছে না?</translation>
    </message>
    <message>
        <source>Why is “%1” resting?</source>
        <translation>“%1” কেন বিশ্রামে?</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>%1 পর্যন্ত</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>%1 থেকে</translation>
    </message>
    <message>
        <source>set by request %1</source>
        <translation>রিকোয়েস্ট %1 থেকে</translation>
    </message>
    <message>
        <source>%1, set by request %2</source>
        <comment>since or until when</comment>
        <translation>%1, রিকোয়েস্ট %2 থেকে</translation>
    </message>
    <message>
        <source>The provider answered</source>
        <translation>প্রোভাইডারের উত্তর</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <comment>status, time</comment>
        <translation>%2-এ %1</translation>
    </message>
    <message>
        <source>Its words</source>
        <translation>তার কথায়</translation>
    </message>
    <message>
        <source>Rule that matched</source>
        <translation>যে নিয়ম মিলেছে</translation>
    </message>
    <message>
        <source>%1: it rests for %2, %3</source>
        <comment>deadline, length, who said so</comment>
        <translation>%1: বিশ্রাম %2, %3</translation>
    </message>
    <message>
        <source>%1: it rests for %2</source>
        <comment>deadline, length</comment>
        <translation>%1: বিশ্রাম %2</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>যে পর্যন্ত</translation>
    </message>
    <message>
        <source>The provider&apos;s breaker is untouched: a 429 never trips it.</source>
        <translation>প্রোভাইডারের ব্রেকারে হাত পড়েনি: 429 কখনো ব্রেকার খোলে না।</translation>
    </message>
    <message>
        <source>The provider&apos;s breaker is %1, with %2 of %3 failures.</source>
        <comment>state</comment>
        <translation>প্রোভাইডারের ব্রেকার %1, %3টির মধ্যে %2টি ব্যর্থতা।</translation>
    </message>
    <message>
        <source>Last error</source>
        <translation>শেষ ত্রুটি</translation>
    </message>
    <message>
        <source>Backoff level %1: the next failure rests it longer.</source>
        <translation>ব্যাকঅফ স্তর %1: পরের ব্যর্থতায় বিশ্রাম আরও লম্বা হবে।</translation>
    </message>
    <message>
        <source>The key is tried again when this ends; another key ends it at once.</source>
        <translation>এটি শেষ হলে কী আবার চেষ্টা করা হবে; অন্য কী দিলে সাথে সাথেই শেষ হয়।</translation>
    </message>
    <message>
        <source>It does not end by itself.</source>
        <translation>এটি নিজে থেকে শেষ হয় না।</translation>
    </message>
    <message>
        <source>So</source>
        <translation>তাই</translation>
    </message>
    <message>
        <source>What ends it</source>
        <translation>যা এটি শেষ করে</translation>
    </message>
    <message>
        <source>Another key, a test that succeeds, or switching it off and on.</source>
        <translation>অন্য কী, সফল টেস্ট, অথবা একবার বন্ধ করে আবার চালু করা।</translation>
    </message>
    <message>
        <source>Top up the account, then test the connection; or give it another key.</source>
        <translation>অ্যাকাউন্টে টপ-আপ করে কানেকশনটি টেস্ট করুন; অথবা অন্য কী দিন।</translation>
    </message>
    <message>
        <source>Enter its key.</source>
        <translation>এর কী দিন।</translation>
    </message>
    <message>
        <source>Enter its key again: the stored one cannot be read on this machine.</source>
        <translation>কী আবার দিন: সংরক্ষিতটি এই যন্ত্রে পড়া যাচ্ছে না।</translation>
    </message>
    <message>
        <source>Every model that shares this quota rests; the connection&apos;s others serve.</source>
        <translation>এই কোটা ভাগ করে নেওয়া প্রতিটি মডেল বিশ্রামে; কানেকশনের অন্যগুলো সেবা দিচ্ছে।</translation>
    </message>
    <message>
        <source>The model under this name rests; the connection&apos;s others serve.</source>
        <translation>এই নামের মডেলটি বিশ্রামে; কানেকশনের অন্যগুলো সেবা দিচ্ছে।</translation>
    </message>
    <message>
        <source>This model rests; the connection&apos;s others serve.</source>
        <translation>এই মডেলটি বিশ্রামে; কানেকশনের অন্যগুলো সেবা দিচ্ছে।</translation>
    </message>
    <message>
        <source>Failures that count</source>
        <translation>গোনা ব্যর্থতা</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>The whole provider is left out, by the provider cooldown, which concerns combos, or by an error rule of yours, which concerns every request.</source>
        <translation>পুরো প্রোভাইডার বাদ রাখা হয়েছে: প্রোভাইডার কুলডাউনের কারণে, যা কম্বোর জন্য, অথবা আপনার কোনো ত্রুটি-নিয়মের কারণে, যা প্রতিটি রিকোয়েস্টের জন্য।</translation>
    </message>
    <message>
        <source>The connection serves. The models beneath it rest, each for its own sake.</source>
        <translation>কানেকশনটি সেবা দিচ্ছে। নিচের মডেলগুলো যার যার কারণে বিশ্রামে।</translation>
    </message>
    <message>
        <source>Combos leave the connection out after its failures. A request that names its provider still reaches it.</source>
        <translation>ব্যর্থতার পর কম্বোগুলো কানেকশনটি বাদ রাখে। যে রিকোয়েস্ট এর প্রোভাইডারের নাম বলে, তা তবু এখানে পৌঁছায়।</translation>
    </message>
    <message>
        <source>The breaker counted %1 of %2 failures: no connection of the provider is asked. Then one request probes it.</source>
        <translation>ব্রেকার %2টির মধ্যে %1টি ব্যর্থতা গুনেছে: প্রোভাইডারের কোনো কানেকশনকে জিজ্ঞেস করা হয় না। পরে একটি রিকোয়েস্ট যাচাই করে।</translation>
    </message>
</context>
<context>
    <name>omni::Holds</name>
    <message>
        <source>1 failure</source>
        <translation>১টি ব্যর্থতা</translation>
    </message>
    <message>
        <source>%1 failures</source>
        <translation>%1টি ব্যর্থতা</translation>
    </message>
    <message>
        <source>provider breaker</source>
        <translation>প্রোভাইডার ব্রেকার</translation>
    </message>
    <message>
        <source>failures</source>
        <translation>ব্যর্থতা</translation>
    </message>
    <message>
        <source>provider breaker, %1 ×%2</source>
        <comment>what failed, how often</comment>
        <translation>প্রোভাইডার ব্রেকার, %1 ×%2</translation>
    </message>
    <message>
        <source>resting after a failure</source>
        <translation>ব্যর্থতার পর বিশ্রামে</translation>
    </message>
    <message>
        <source>%1; tried again then</source>
        <translation>%1; এরপর আবার চেষ্টা হবে</translation>
    </message>
    <message>
        <source>its key cannot be read; enter it again</source>
        <translation>কী পড়া যাচ্ছে না; আবার দিন</translation>
    </message>
    <message>
        <source>has no key yet</source>
        <translation>এখনো কী নেই</translation>
    </message>
    <message>
        <source>banned by the provider; needs another key</source>
        <translation>প্রোভাইডার নিষিদ্ধ করেছে; অন্য কী দরকার</translation>
    </message>
    <message>
        <source>expired, needs a new key</source>
        <translation>মেয়াদোত্তীর্ণ, নতুন কী দরকার</translation>
    </message>
    <message>
        <source>balance is empty; top up, then test</source>
        <translation>ব্যালেন্স শেষ; টপ-আপ করে টেস্ট করুন</translation>
    </message>
    <message>
        <source>%1: model resting, %2</source>
        <comment>provider, why</comment>
        <translation>%1: মডেল বিশ্রামে, %2</translation>
    </message>
    <message>
        <source>provider cooldown, %1</source>
        <translation>প্রোভাইডার কুলডাউন, %1</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <comment>model, connection</comment>
        <translation>%2-এ %1</translation>
    </message>
    <message>
        <source>After %1 combos leave the connection out until %2.
A request that names its provider still reaches it.</source>
        <translation>%1র পর কম্বোগুলো %2 পর্যন্ত কানেকশনটি বাদ রাখে।
যে রিকোয়েস্ট এর প্রোভাইডারের নাম বলে, তা তবু এখানে পৌঁছায়।</translation>
    </message>
    <message>
        <source>After %1 the whole provider is left out until %2.
Set by the provider cooldown, which concerns combos, or by an error rule of yours, which concerns every request.</source>
        <translation>%1র পর পুরো প্রোভাইডারটি %2 পর্যন্ত বাদ থাকে।
এটি প্রোভাইডার কুলডাউন (কম্বোর জন্য) অথবা আপনার কোনো ত্রুটি-নিয়ম (প্রতিটি রিকোয়েস্টের জন্য) ঠিক করেছে।</translation>
    </message>
    <message>
        <source>It concerns every model that shares this quota.</source>
        <translation>এই কোটা ভাগ করে নেওয়া প্রতিটি মডেলের জন্য প্রযোজ্য।</translation>
    </message>
    <message>
        <source>It concerns the model under this name; the connection&apos;s other models serve.</source>
        <translation>এই নামের মডেলটির জন্য প্রযোজ্য; কানেকশনের অন্য মডেলগুলো সেবা দিচ্ছে।</translation>
    </message>
    <message>
        <source>It concerns this model; the connection&apos;s other models serve.</source>
        <translation>শুধু এই মডেলটির জন্য প্রযোজ্য; কানেকশনের অন্য মডেলগুলো সেবা দিচ্ছে।</translation>
    </message>
    <message>
        <source>Resting since %1, after %2</source>
        <translation>%1 থেকে বিশ্রামে, %2র পর</translation>
    </message>
    <message>
        <source>The key is tried again when this ends; another key ends it at once.</source>
        <translation>এটি শেষ হলে কী আবার চেষ্টা করা হবে; অন্য কী দিলে সাথে সাথেই শেষ হয়।</translation>
    </message>
    <message>
        <source>Only you can end it: by a test that succeeds, by another key, or by switching the connection off and on.</source>
        <translation>শুধু আপনিই এটি শেষ করতে পারেন: সফল টেস্ট, অন্য কী, অথবা কানেকশনটি বন্ধ করে আবার চালু করে।</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>who, state</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 models</source>
        <comment>name of a family</comment>
        <translation>%1 পরিবারের মডেল</translation>
    </message>
    <message>
        <source>%1: %2, until %3</source>
        <comment>model, why, time</comment>
        <translation>%1: %2, %3 পর্যন্ত</translation>
    </message>
</context>
<context>
    <name>omni::HoldsPanel</name>
    <message>
        <source>Clear now</source>
        <translation>এখনই তুলুন</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>সম্পাদনা</translation>
    </message>
    <message>
        <source>Clear now: %1</source>
        <translation>এখনই তুলুন: %1</translation>
    </message>
    <message>
        <source>Edit: %1</source>
        <translation>সম্পাদনা: %1</translation>
    </message>
    <message>
        <source>Nothing is out of service.</source>
        <translation>কিছুই সেবার বাইরে নেই।</translation>
    </message>
    <message>
        <source>Out of service</source>
        <translation>সেবার বাইরে</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>কেন?</translation>
    </message>
    <message>
        <source>Why? %1</source>
        <translation>কেন? %1</translation>
    </message>
    <message>
        <source>%1 more in the Cooldown Manager</source>
        <translation>কুলডাউন ম্যানেজারে আরও %1টি</translation>
    </message>
</context>
<context>
    <name>omni::HourBar</name>
    <message>
        <source>This connection, last hour</source>
        <translation>এই কানেকশন, গত এক ঘণ্টা</translation>
    </message>
    <message>
        <source>Nothing is known of it yet.</source>
        <translation>এখনো কিছু জানা নেই।</translation>
    </message>
    <message>
        <source>in service %1, out %2</source>
        <comment>two lengths of time</comment>
        <translation>সেবায় %1, বাইরে %2</translation>
    </message>
</context>
<context>
    <name>omni::ImportDialog</name>
    <message>
        <source>%1: %2</source>
        <comment>kind of thing: how many</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>connections</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>endpoints</source>
        <translation>এন্ডপয়েন্ট</translation>
    </message>
    <message>
        <source>combos</source>
        <translation>কম্বো</translation>
    </message>
    <message>
        <source>aliases</source>
        <translation>অ্যালিয়াস</translation>
    </message>
    <message>
        <source>client keys</source>
        <translation>ক্লায়েন্ট কী</translation>
    </message>
    <message>
        <source>prices</source>
        <translation>দাম</translation>
    </message>
    <message>
        <source>settings</source>
        <translation>সেটিংস</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>কিছুই না</translation>
    </message>
    <message>
        <source>Import a configuration</source>
        <translation>কনফিগারেশন ইমপোর্ট</translation>
    </message>
    <message>
        <source>%1 holds: %2.</source>
        <translation>%1 ফাইলে আছে: %2।</translation>
    </message>
    <message>
        <source>What has the same identity here is replaced by what the file holds, settings included; everything else that is here stays. All of it is taken in, or nothing.</source>
        <translation>এখানে একই পরিচয়ের যা আছে তার জায়গায় ফাইলেরটি বসে, সেটিংসও; এখানকার বাকি সব থাকে। হয় পুরোটা নেওয়া হয়, নয়তো কিছুই না।</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>পাসফ্রেজ</translation>
    </message>
    <message>
        <source>empty: without the keys</source>
        <translation>খালি: কী ছাড়া</translation>
    </message>
    <message>
        <source>Make a &amp;backup of the database first</source>
        <translation>আগে ডেটাবেসের ব্যাকআপ নিন</translation>
    </message>
    <message>
        <source>Passphrase of the keys</source>
        <translation>কীগুলোর পাসফ্রেজ</translation>
    </message>
    <message>
        <source>It holds no keys: connections that are new here wait until you enter theirs.</source>
        <translation>এতে কোনো কী নেই: এখানে নতুন কানেকশনগুলো আপনি কী না দেওয়া পর্যন্ত অপেক্ষা করবে।</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>ইমপোর্ট</translation>
    </message>
    <message>
        <source>Importing…</source>
        <translation>ইমপোর্ট হচ্ছে…</translation>
    </message>
    <message>
        <source>No backup could be made, so nothing was imported. %1</source>
        <translation>ব্যাকআপ নেওয়া যায়নি, তাই কিছুই ইমপোর্ট হয়নি। %1</translation>
    </message>
    <message>
        <source>keys of providers</source>
        <translation>প্রোভাইডারের কী</translation>
    </message>
    <message>
        <source>Nothing in the file was of use here.</source>
        <translation>ফাইলের কিছুই এখানে কাজে লাগেনি।</translation>
    </message>
    <message>
        <source>Imported: %1.</source>
        <translation>ইমপোর্ট হয়েছে: %1।</translation>
    </message>
    <message>
        <source>Left out:</source>
        <translation>বাদ পড়েছে:</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>বন্ধ</translation>
    </message>
</context>
<context>
    <name>omni::KeyDialog</name>
    <message>
        <source>Create a client key</source>
        <translation>ক্লায়েন্ট কী তৈরি করুন</translation>
    </message>
    <message>
        <source>Edit the client key</source>
        <translation>ক্লায়েন্ট কী সম্পাদনা</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>The new client key</source>
        <translation>নতুন ক্লায়েন্ট কী</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>কপি</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>হয়েছে</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>কপি হয়েছে।</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>সংরক্ষণ হচ্ছে…</translation>
    </message>
    <message>
        <source>Create key</source>
        <translation>কী তৈরি করুন</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>সংরক্ষণ</translation>
    </message>
    <message>
        <source>The key “%1” is made. Copy it now: it is shown this once and kept nowhere. Clients send it as they would send a provider&apos;s key, as a Bearer token or as x-api-key.</source>
        <translation>“%1” কী তৈরি হয়েছে। এখনই কপি করুন: এটি শুধু এই একবার দেখানো হয়, কোথাও রাখা হয় না। ক্লায়েন্টরা প্রোভাইডারের কী-র মতোই এটি পাঠাবে, Bearer টোকেন অথবা x-api-key হিসেবে।</translation>
    </message>
</context>
<context>
    <name>omni::KeyForm</name>
    <message>
        <source>Name of the key</source>
        <translation>কী-র নাম</translation>
    </message>
    <message>
        <source>Who uses it, such as: laptop</source>
        <translation>কে ব্যবহার করে, যেমন: ল্যাপটপ</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>নাম</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>May also manage OmniRoute</source>
        <translation>OmniRoute পরিচালনাও করতে পারবে</translation>
    </message>
    <message>
        <source>Keep its requests out of the request log</source>
        <translation>এর রিকোয়েস্ট লগে রাখবে না</translation>
    </message>
    <message>
        <source>Reads and changes connections, settings and keys over the management API. Give this only to programs of your own.</source>
        <translation>ম্যানেজমেন্ট API দিয়ে কানেকশন, সেটিংস ও কী পড়তে ও বদলাতে পারে। শুধু নিজের প্রোগ্রামকেই এই অধিকার দিন।</translation>
    </message>
    <message>
        <source>They are still counted on the page Usage.</source>
        <translation>ব্যবহার পাতায় তবু গোনা হবে।</translation>
    </message>
    <message>
        <source>Rights</source>
        <translation>অধিকার</translation>
    </message>
    <message>
        <source>Expires</source>
        <translation>শেষ হবে</translation>
    </message>
    <message>
        <source>Models the key may use</source>
        <translation>কী যে মডেলগুলো ব্যবহার করতে পারে</translation>
    </message>
    <message>
        <source>any model</source>
        <translation>যেকোনো মডেল</translation>
    </message>
    <message>
        <source>One name or pattern on a line, such as gpt-5* or openai/*. A combo or an alias by its name allows all it leads to. Empty: any model.</source>
        <translation>প্রতি লাইনে একটি নাম বা প্যাটার্ন, যেমন gpt-5* বা openai/*। কম্বো বা অ্যালিয়াসের নাম দিলে তা যেখানে নিয়ে যায় সবই চলে। ফাঁকা: যেকোনো মডেল।</translation>
    </message>
    <message>
        <source>Any connection, also those added later</source>
        <translation>যেকোনো কানেকশন, পরে যোগ করাগুলোও</translation>
    </message>
    <message>
        <source>Filter the connections</source>
        <translation>কানেকশন ফিল্টার করুন</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>ফিল্টার</translation>
    </message>
    <message>
        <source>Connections the key may use</source>
        <translation>কী যে কানেকশনগুলো ব্যবহার করতে পারে</translation>
    </message>
    <message>
        <source>At the end of</source>
        <translation>এই দিনের শেষে</translation>
    </message>
    <message>
        <source>The key expires</source>
        <translation>কী-র মেয়াদ আছে</translation>
    </message>
    <message>
        <source>Last day of the key</source>
        <translation>কী-র শেষ দিন</translation>
    </message>
    <message>
        <source>A connection that was deleted</source>
        <translation>মুছে ফেলা একটি কানেকশন</translation>
    </message>
    <message>
        <source>Choose at least one, or allow any.</source>
        <translation>অন্তত একটি বেছে নিন, অথবা যেকোনোটির অনুমতি দিন।</translation>
    </message>
    <message>
        <source>That day is over.</source>
        <translation>সেই দিন পেরিয়ে গেছে।</translation>
    </message>
</context>
<context>
    <name>omni::KeyImportDialog</name>
    <message>
        <source>Import keys</source>
        <translation>কী ইমপোর্ট</translation>
    </message>
    <message>
        <source>Keys of providers that lie on this computer already. What you tick becomes a connection, its key kept encrypted; the place it was found in stays as it is. Until you press Add, nothing is kept and nothing is sent.</source>
        <translation>প্রোভাইডারের যে কী এই কম্পিউটারে আগে থেকেই আছে। যেটিতে টিক দেবেন সেটি কানেকশন হবে, কী এনক্রিপ্ট করে রাখা হবে; যেখানে পাওয়া গেছে সেখানে কিছু বদলায় না। যোগ না করা পর্যন্ত কিছুই রাখা বা পাঠানো হয় না।</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>খোঁজা হচ্ছে…</translation>
    </message>
    <message>
        <source>&amp;Look in files of other tools</source>
        <translation>অন্য টুলের ফাইলে খুঁজুন</translation>
    </message>
    <message>
        <source>Reads your own settings files of %1, your .env and your shell&apos;s start-up files. Nothing is changed in them.</source>
        <translation>%1-এর আপনার নিজের সেটিংস ফাইল, আপনার .env আর শেল চালুর ফাইলগুলো পড়ে। সেগুলোতে কিছুই বদলায় না।</translation>
    </message>
    <message>
        <source>&amp;Test each at once</source>
        <translation>প্রতিটি সঙ্গে সঙ্গে &amp;পরীক্ষা করুন</translation>
    </message>
    <message>
        <source>One small request to each provider. A test that fails changes nothing about how requests are routed.</source>
        <translation>প্রতিটি প্রোভাইডারে একটি ছোট অনুরোধ। পরীক্ষা ব্যর্থ হলেও অনুরোধ কোথায় যাবে তাতে কিছু বদলায় না।</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a file and why it was left out</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Left out:</source>
        <translation>বাদ পড়েছে:</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>name and number of a further connection</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>No key was found on this computer. Add a connection by hand.</source>
        <translation>এই কম্পিউটারে কোনো কী পাওয়া যায়নি। হাতে কানেকশন যোগ করুন।</translation>
    </message>
    <message>
        <source>No environment variable of this program holds a key. Perhaps a file does.</source>
        <translation>এই প্রোগ্রামের কোনো এনভায়রনমেন্ট ভ্যারিয়েবলে কী নেই। কোনো ফাইলে থাকতে পারে।</translation>
    </message>
    <message>
        <source>Adding…</source>
        <translation>যোগ হচ্ছে…</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>যোগ করুন</translation>
    </message>
    <message>
        <source>Add 1 connection</source>
        <translation>১টি কানেকশন যোগ করুন</translation>
    </message>
    <message>
        <source>Add %1 connections</source>
        <translation>%1টি কানেকশন যোগ করুন</translation>
    </message>
    <message>
        <source>Not all could be added.</source>
        <translation>সবগুলো যোগ করা যায়নি।</translation>
    </message>
</context>
<context>
    <name>omni::KeyImportRow</name>
    <message>
        <source>%1  %2</source>
        <comment>provider and the end of its key</comment>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>Name of the connection to %1</source>
        <translation>%1-এর কানেকশনের নাম</translation>
    </message>
    <message>
        <source>already here</source>
        <translation>আগে থেকেই আছে</translation>
    </message>
    <message>
        <source>found in %1</source>
        <translation>পাওয়া গেছে: %1</translation>
    </message>
    <message>
        <source>sent to %1</source>
        <translation>পাঠানো হয়: %1</translation>
    </message>
    <message>
        <source>Another key in this list has this name.</source>
        <translation>এই তালিকার আরেকটি কী-র এই নাম আছে।</translation>
    </message>
    <message>
        <source>added</source>
        <translation>যোগ হয়েছে</translation>
    </message>
</context>
<context>
    <name>omni::LiveChart</name>
    <message>
        <source>%1: nothing yet.</source>
        <translation>%1: এখনো কিছু নেই।</translation>
    </message>
    <message>
        <source>%1: now %2, lowest %3, highest %4.</source>
        <translation>%1: এখন %2, সর্বনিম্ন %3, সর্বোচ্চ %4।</translation>
    </message>
    <message>
        <source>Seconds ago</source>
        <translation>সেকেন্ড আগে</translation>
    </message>
    <message>
        <source>Copy values</source>
        <translation>মানগুলো কপি করুন</translation>
    </message>
</context>
<context>
    <name>omni::LockoutsModel</name>
    <message>
        <source>its quota</source>
        <translation>এর কোটা</translation>
    </message>
    <message>
        <source>this name</source>
        <translation>এই নাম</translation>
    </message>
    <message>
        <source>this model</source>
        <translation>এই মডেল</translation>
    </message>
    <message>
        <source>Every model of the connection that shares this quota rests.</source>
        <translation>কানেকশনের যেসব মডেল এই কোটা ভাগ করে নেয় সবই বিশ্রামে।</translation>
    </message>
    <message>
        <source>The model rests under the name it was asked for by.</source>
        <translation>যে নামে চাওয়া হয়েছিল সেই নামে মডেলটি বিশ্রামে।</translation>
    </message>
    <message>
        <source>This model rests, whatever it shares a quota with.</source>
        <translation>কোটা যার সাথেই ভাগ হোক, এই মডেলটি বিশ্রামে।</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>পরিসর</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>কারণ</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>ব্যর্থতা</translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation>বাকি</translation>
    </message>
    <message>
        <source>Expires</source>
        <translation>শেষ হবে</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>যখন থেকে</translation>
    </message>
    <message>
        <source>Last error</source>
        <translation>শেষ ত্রুটি</translation>
    </message>
</context>
<context>
    <name>omni::LockoutsPage</name>
    <message>
        <source>Model Cooldowns</source>
        <translation>মডেল কুলডাউন</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>ফিল্টার</translation>
    </message>
    <message>
        <source>Filter the models at rest</source>
        <translation>বিশ্রামে থাকা মডেল ফিল্টার করুন</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>All providers</source>
        <translation>সব প্রোভাইডার</translation>
    </message>
    <message>
        <source>Re-enable</source>
        <translation>আবার চালু করুন</translation>
    </message>
    <message>
        <source>The selected models take requests again at once.</source>
        <translation>নির্বাচিত মডেলগুলো সাথে সাথেই আবার রিকোয়েস্ট নেয়।</translation>
    </message>
    <message>
        <source>Re-enable all…</source>
        <translation>সব আবার চালু করুন…</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>কেন?</translation>
    </message>
    <message>
        <source>Models at rest</source>
        <translation>বিশ্রামে থাকা মডেল</translation>
    </message>
    <message>
        <source>Models that rest on a connection while its others serve.</source>
        <translation>কানেকশনের যেসব মডেল বিশ্রামে, যখন তার অন্যগুলো সেবা দিচ্ছে।</translation>
    </message>
    <message>
        <source>One model rests</source>
        <translation>একটি মডেল বিশ্রামে</translation>
    </message>
    <message>
        <source>%1 models rest</source>
        <translation>%1টি মডেল বিশ্রামে</translation>
    </message>
    <message>
        <source>No model rests. When a provider refuses one model of a connection, it is listed here, and the connection goes on serving its others.</source>
        <translation>কোনো মডেল বিশ্রামে নেই। প্রোভাইডার কোনো কানেকশনের একটি মডেল ফিরিয়ে দিলে তা এখানে দেখা যাবে, আর কানেকশনটি তার অন্যগুলো দিয়ে সেবা চালিয়ে যাবে।</translation>
    </message>
    <message>
        <source>Open the Cooldown Manager</source>
        <translation>কুলডাউন ম্যানেজার খুলুন</translation>
    </message>
    <message>
        <source>No model at rest matches the filter.</source>
        <translation>বিশ্রামে থাকা কোনো মডেল ফিল্টারের সাথে মেলে না।</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>সব দেখান</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <comment>model, connection</comment>
        <translation>%2-এ %1</translation>
    </message>
    <message>
        <source>Nothing was left to re-enable: it had ended by itself.</source>
        <translation>আবার চালু করার কিছু বাকি ছিল না: নিজে থেকেই শেষ হয়ে গেছে।</translation>
    </message>
    <message>
        <source>%1 serves again.</source>
        <translation>%1 আবার সেবা দিচ্ছে।</translation>
    </message>
    <message>
        <source>One model serves again.</source>
        <translation>একটি মডেল আবার সেবা দিচ্ছে।</translation>
    </message>
    <message>
        <source>%1 models serve again.</source>
        <translation>%1টি মডেল আবার সেবা দিচ্ছে।</translation>
    </message>
    <message>
        <source>Re-enable all?</source>
        <translation>সব আবার চালু করবেন?</translation>
    </message>
    <message>
        <source>Requests go to these models again at once, although what made them rest may not be over. Models: %1.</source>
        <translation>বিশ্রামের কারণ শেষ না হয়ে থাকলেও রিকোয়েস্ট সাথে সাথেই আবার এই মডেলগুলোতে যাবে। মডেল: %1।</translation>
    </message>
    <message>
        <source>Re-enable all</source>
        <translation>সব আবার চালু করুন</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Show its connection</source>
        <translation>এর কানেকশন দেখান</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>টেক্সট হিসেবে কপি</translation>
    </message>
</context>
<context>
    <name>omni::MainWindow</name>
    <message>
        <source>Copied: %1</source>
        <translation>কপি হয়েছে: %1</translation>
    </message>
    <message>
        <source>About OmniRoute Desktop</source>
        <translation>OmniRoute Desktop সম্পর্কে</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>প্রস্থান</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>পাতা</translation>
    </message>
    <message>
        <source>This desktop shows no tray icons. OmniRoute serves while its window is open or minimised.</source>
        <translation>এই ডেস্কটপে ট্রে আইকন দেখানো হয় না। উইন্ডো খোলা বা মিনিমাইজ থাকলে OmniRoute সেবা দেয়।</translation>
    </message>
    <message>
        <source>Close OmniRoute?</source>
        <translation>OmniRoute বন্ধ করবেন?</translation>
    </message>
    <message>
        <source>There is no tray to go on in. If it quits, programs that use it get no answers until it is started again.</source>
        <translation>চলতে থাকার মতো কোনো ট্রে নেই। প্রস্থান করলে আবার চালু না করা পর্যন্ত এর ব্যবহারকারী প্রোগ্রামগুলো উত্তর পাবে না।</translation>
    </message>
    <message>
        <source>Minimise</source>
        <translation>মিনিমাইজ</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>OmniRoute Desktop %1</source>
        <translation>OmniRoute Desktop %1</translation>
    </message>
    <message>
        <source>A local proxy that keeps your requests answered while keys run out, providers fail and streams break.

Free software under the GNU General Public License, version 3 or later. It comes without any warranty.</source>
        <translation>একটি লোকাল প্রক্সি: কী ফুরালে, প্রোভাইডার ব্যর্থ হলে বা স্ট্রিম ছিঁড়ে গেলেও আপনার রিকোয়েস্টের উত্তর নিশ্চিত করে।

GNU General Public License, সংস্করণ ৩ বা পরবর্তী, এর অধীনে মুক্ত সফটওয়্যার। এর কোনো ওয়ারেন্টি নেই।</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>বন্ধ করুন</translation>
    </message>
    <message>
        <source>Find on this page</source>
        <translation>এই পাতায় খুঁজুন</translation>
    </message>
    <message>
        <source>Refresh this page</source>
        <translation>এই পাতা নতুন করে দেখুন</translation>
    </message>
</context>
<context>
    <name>omni::MessageBar</name>
    <message>
        <source>Undo</source>
        <translation>পূর্বাবস্থায় ফেরান</translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>বার্তাটি বন্ধ করুন</translation>
    </message>
</context>
<context>
    <name>omni::MinuteModel</name>
    <message>
        <source>answered</source>
        <translation>সফল</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>সময়</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>যা ঘটেছে</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
</context>
<context>
    <name>omni::MinutePanel</name>
    <message>
        <source>What moved the breakers in this minute</source>
        <translation>এই মিনিটে যা ব্রেকারের অবস্থা বদলেছে</translation>
    </message>
    <message>
        <source>Back to the charts</source>
        <translation>চার্টে ফিরুন</translation>
    </message>
    <message>
        <source>No request moved a breaker in this minute.</source>
        <translation>এই মিনিটে কোনো অনুরোধ ব্রেকারের অবস্থা বদলায়নি।</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>provider, state</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>how the breakers stood is not known</source>
        <translation>ব্রেকারগুলোর অবস্থা জানা নেই</translation>
    </message>
    <message>
        <source>every breaker closed</source>
        <translation>সব ব্রেকার ক্লোজড</translation>
    </message>
    <message>
        <source>%1; attempts failed: %2, answered: %3</source>
        <translation>%1; ব্যর্থ চেষ্টা: %2, সফল: %3</translation>
    </message>
    <message>
        <source>%1; attempts failed: at least %2, answered: at least %3</source>
        <translation>%1; ব্যর্থ চেষ্টা: অন্তত %2, সফল: অন্তত %3</translation>
    </message>
</context>
<context>
    <name>omni::ModelChoice</name>
    <message>
        <source>“%1”, as written</source>
        <translation>“%1”, যেমন লেখা</translation>
    </message>
    <message>
        <source>%1 (no connection)</source>
        <comment>provider</comment>
        <translation>%1 (কানেকশন নেই)</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
</context>
<context>
    <name>omni::NumberRow</name>
    <message>
        <source>Must be a number from %1.</source>
        <comment>a range such as: 1 s to 600 s</comment>
        <translation>সংখ্যাটি %1-এর মধ্যে হতে হবে।</translation>
    </message>
    <message>
        <source>Must be a number.</source>
        <translation>সংখ্যা হতে হবে।</translation>
    </message>
</context>
<context>
    <name>omni::NumberText</name>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>s</source>
        <translation>সে.</translation>
    </message>
    <message>
        <source>min</source>
        <translation>মি.</translation>
    </message>
    <message>
        <source>KiB</source>
        <translation>KiB</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>days</source>
        <translation>দিন</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>a range</comment>
        <translation>%1 থেকে %2</translation>
    </message>
</context>
<context>
    <name>omni::OverviewPage</name>
    <message>
        <source>Providers, %1</source>
        <translation>প্রোভাইডার, %1</translation>
    </message>
    <message>
        <source>Requests a second</source>
        <translation>সেকেন্ডে রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>Answered, last hour</source>
        <translation>উত্তর দেওয়া, গত এক ঘণ্টা</translation>
    </message>
    <message>
        <source>Added by us, p50 / p99</source>
        <translation>আমাদের যোগ করা, p50 / p99</translation>
    </message>
    <message>
        <source>Tokens a minute</source>
        <translation>মিনিটে টোকেন</translation>
    </message>
    <message>
        <source>Out of service</source>
        <translation>সেবার বাইরে</translation>
    </message>
    <message>
        <source>Clear all now</source>
        <translation>এখনই সব তুলুন</translation>
    </message>
    <message>
        <source>Ends every passing hold. Connections that need a new key or credit stay as they are.</source>
        <translation>প্রতিটি সাময়িক হোল্ড শেষ করে। যেসব কানেকশনের নতুন কী বা ক্রেডিট দরকার সেগুলো যেমন আছে তেমনই থাকে।</translation>
    </message>
    <message>
        <source>No connections yet. Add the key of a provider, or a server of your own, and every client of this proxy can use it.</source>
        <translation>এখনো কোনো কানেকশন নেই। কোনো প্রোভাইডারের কী বা নিজের সার্ভার যোগ করুন; তখন এই প্রক্সির প্রতিটি ক্লায়েন্ট তা ব্যবহার করতে পারবে।</translation>
    </message>
    <message>
        <source>Add a connection</source>
        <translation>কানেকশন যোগ করুন</translation>
    </message>
    <message>
        <source>peak %1 in the last hour</source>
        <translation>গত এক ঘণ্টায় সর্বোচ্চ %1</translation>
    </message>
    <message>
        <source>no requests yet</source>
        <translation>এখনো কোনো রিকোয়েস্ট নেই</translation>
    </message>
    <message>
        <source>%1 of %2 by another target</source>
        <translation>%2টির মধ্যে %1টি অন্য টার্গেট থেকে</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <comment>p50 / p99</comment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>upstream first token %1</source>
        <translation>আপস্ট্রিমের প্রথম টোকেন %1</translation>
    </message>
    <message>
        <source>no answers in the last 5 minutes</source>
        <translation>গত ৫ মিনিটে কোনো উত্তর নেই</translation>
    </message>
    <message>
        <source>%1 in, %2 out</source>
        <comment>tokens</comment>
        <translation>ভেতরে %1, বাইরে %2</translation>
    </message>
    <message>
        <source>%1 serves again.</source>
        <translation>%1 আবার সেবা দিচ্ছে।</translation>
    </message>
    <message>
        <source>One hold was cleared.</source>
        <translation>একটি হোল্ড তুলে নেওয়া হয়েছে।</translation>
    </message>
    <message>
        <source>%1 holds were cleared.</source>
        <translation>%1টি হোল্ড তুলে নেওয়া হয়েছে।</translation>
    </message>
    <message>
        <source>Clear now</source>
        <translation>এখনই তুলুন</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>সম্পাদনা</translation>
    </message>
    <message>
        <source>Cooldown Manager</source>
        <translation>কুলডাউন ম্যানেজার</translation>
    </message>
    <message>
        <source>Why each of them is out, and how the last hour went</source>
        <translation>প্রতিটি কেন বাইরে, এবং গত এক ঘণ্টা কেমন গেছে</translation>
    </message>
</context>
<context>
    <name>omni::PageDoors</name>
    <message>
        <source>Add a connection…</source>
        <translation>কানেকশন যোগ করুন…</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>Add a combo…</source>
        <translation>কম্বো যোগ করুন…</translation>
    </message>
    <message>
        <source>Add an alias…</source>
        <translation>অ্যালিয়াস যোগ করুন…</translation>
    </message>
    <message>
        <source>Combo</source>
        <translation>কম্বো</translation>
    </message>
    <message>
        <source>Alias of %1</source>
        <translation>%1-এর অ্যালিয়াস</translation>
    </message>
    <message>
        <source>Model at rest, %1</source>
        <translation>বিশ্রামে থাকা মডেল, %1</translation>
    </message>
    <message>
        <source>Create a client key…</source>
        <translation>ক্লায়েন্ট কী তৈরি করুন…</translation>
    </message>
    <message>
        <source>Client key</source>
        <translation>ক্লায়েন্ট কী</translation>
    </message>
    <message>
        <source>Set up %1</source>
        <translation>%1 সেট আপ করুন</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>ক্লায়েন্ট</translation>
    </message>
    <message>
        <source>Export the usage as CSV…</source>
        <translation>ব্যবহারের হিসাব CSV হিসেবে রপ্তানি করুন…</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>সেটিংস</translation>
    </message>
    <message>
        <source>Settings, %1</source>
        <comment>group</comment>
        <translation>সেটিংস, %1</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>সহায়তা</translation>
    </message>
</context>
<context>
    <name>omni::PageList</name>
    <message>
        <source>Overview</source>
        <translation>সারসংক্ষেপ</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>সেটিংস</translation>
    </message>
    <message>
        <source>Cooldown Manager</source>
        <translation>কুলডাউন ম্যানেজার</translation>
    </message>
    <message>
        <source>Model Cooldowns</source>
        <translation>মডেল কুলডাউন</translation>
    </message>
    <message>
        <source>Combos</source>
        <translation>কম্বো</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>ব্যবহার</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>ক্লায়েন্ট</translation>
    </message>
    <message>
        <source>API keys</source>
        <translation>API কী</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>সহায়তা</translation>
    </message>
</context>
<context>
    <name>omni::PricesDialog</name>
    <message>
        <source>Prices of models</source>
        <translation>মডেলের দাম</translation>
    </message>
    <message>
        <source>In US dollars for a million tokens, as your provider bills them. OmniRoute knows no prices of its own: what has none is left out of the estimate and marked.</source>
        <translation>দশ লাখ টোকেনের দাম মার্কিন ডলারে, আপনার প্রোভাইডার যেভাবে বিল করে। OmniRoute নিজে কোনো দাম জানে না: যার দাম নেই তা আনুমানিক খরচে ধরা হয় না, আর চিহ্নিত থাকে।</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>বন্ধ করুন</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>ফিল্টার</translation>
    </message>
    <message>
        <source>Filter the models</source>
        <translation>মডেল ফিল্টার করুন</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>টেক্সট হিসেবে কপি</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>ইনপুট</translation>
    </message>
    <message>
        <source>Cached input</source>
        <translation>ক্যাশ করা ইনপুট</translation>
    </message>
    <message>
        <source>as input</source>
        <comment>price of cached input</comment>
        <translation>ইনপুটের মতো</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>আউটপুট</translation>
    </message>
    <message>
        <source>Save price</source>
        <translation>দাম সংরক্ষণ</translation>
    </message>
    <message>
        <source>Remove price</source>
        <translation>দাম সরান</translation>
    </message>
    <message>
        <source>No model has been used yet. Those that were are listed here.</source>
        <translation>এখনো কোনো মডেল ব্যবহার হয়নি। ব্যবহার হলে এখানে দেখা যাবে।</translation>
    </message>
    <message>
        <source>Choose the models to enter a price for.</source>
        <translation>যে মডেলের দাম দেবেন তা বেছে নিন।</translation>
    </message>
    <message>
        <source>Price of %1</source>
        <translation>%1-এর দাম</translation>
    </message>
    <message>
        <source>One price for %1 models</source>
        <translation>%1টি মডেলের একই দাম</translation>
    </message>
    <message>
        <source>A number, such as 1.25.</source>
        <translation>একটি সংখ্যা, যেমন 1.25।</translation>
    </message>
    <message>
        <source>Saved. The estimate counts with it now.</source>
        <translation>সংরক্ষিত। আনুমানিক খরচ এখন এটি দিয়ে হিসাব হয়।</translation>
    </message>
    <message>
        <source>Saved for %1 models.</source>
        <translation>%1টি মডেলের জন্য সংরক্ষিত।</translation>
    </message>
    <message>
        <source>Removed. Without a price it is left out of the estimate.</source>
        <translation>সরানো হয়েছে। দাম ছাড়া এটি আনুমানিক খরচে ধরা হয় না।</translation>
    </message>
</context>
<context>
    <name>omni::PricesModel</name>
    <message>
        <source>no price</source>
        <translation>দাম নেই</translation>
    </message>
    <message>
        <source>as input</source>
        <comment>price of cached input</comment>
        <translation>ইনপুটের মতো</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>ইনপুট</translation>
    </message>
    <message>
        <source>Cached input</source>
        <translation>ক্যাশ করা ইনপুট</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>আউটপুট</translation>
    </message>
</context>
<context>
    <name>omni::ProviderChooser</name>
    <message>
        <source>Hosted</source>
        <translation>হোস্টেড</translation>
    </message>
    <message>
        <source>On this machine or network</source>
        <translation>এই মেশিন বা নেটওয়ার্কে</translation>
    </message>
    <message>
        <source>Your own endpoints</source>
        <translation>আপনার নিজের এন্ডপয়েন্ট</translation>
    </message>
    <message>
        <source>OpenAI-compatible endpoint…</source>
        <translation>OpenAI-সামঞ্জস্যপূর্ণ এন্ডপয়েন্ট…</translation>
    </message>
    <message>
        <source>Anthropic-compatible endpoint…</source>
        <translation>Anthropic-সামঞ্জস্যপূর্ণ এন্ডপয়েন্ট…</translation>
    </message>
    <message>
        <source>For trying out</source>
        <translation>পরখ করার জন্য</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>Find a provider</source>
        <translation>প্রোভাইডার খুঁজুন</translation>
    </message>
    <message>
        <source>%1  (%2)</source>
        <comment>provider (number of connections)</comment>
        <translation>%1  (%2)</translation>
    </message>
</context>
<context>
    <name>omni::ProvidersPanel</name>
    <message>
        <source>%1 s</source>
        <translation>%1 সে.</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>5 min</source>
        <translation>৫ মি.</translation>
    </message>
    <message>
        <source>1 h</source>
        <translation>১ ঘ.</translation>
    </message>
    <message>
        <source>24 h</source>
        <translation>২৪ ঘ.</translation>
    </message>
    <message>
        <source>Show the last 5 minutes</source>
        <translation>গত ৫ মিনিট দেখান</translation>
    </message>
    <message>
        <source>Show the last hour</source>
        <translation>গত এক ঘণ্টা দেখান</translation>
    </message>
    <message>
        <source>Show the last 24 hours</source>
        <translation>গত ২৪ ঘণ্টা দেখান</translation>
    </message>
    <message>
        <source>Breakers of the providers, %1</source>
        <translation>প্রোভাইডারদের ব্রেকার, %1</translation>
    </message>
    <message>
        <source>failures</source>
        <translation>ব্যর্থতা</translation>
    </message>
    <message>
        <source>Requests and latency</source>
        <translation>রিকোয়েস্ট ও বিলম্ব</translation>
    </message>
    <message>
        <source>requests/s</source>
        <translation>রিকোয়েস্ট/সে.</translation>
    </message>
    <message>
        <source>p50</source>
        <translation>p50</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>last hour</source>
        <translation>গত এক ঘণ্টা</translation>
    </message>
    <message>
        <source>last 24 hours</source>
        <translation>গত ২৪ ঘণ্টা</translation>
    </message>
    <message>
        <source>last 5 minutes</source>
        <translation>গত ৫ মিনিট</translation>
    </message>
    <message>
        <source>%1: failures against its thresholds</source>
        <translation>%1: থ্রেশহোল্ডের তুলনায় ব্যর্থতা</translation>
    </message>
    <message>
        <source>opens at %1</source>
        <translation>%1-এ ওপেন</translation>
    </message>
    <message>
        <source>degraded at %1</source>
        <translation>%1-এ ডিগ্রেড</translation>
    </message>
    <message>
        <source>Point at a band, or press Left there, to look at a past minute.</source>
        <translation>অতীতের কোনো মিনিট দেখতে ফিতের ওপর পয়েন্টার রাখুন, কিংবা সেখানে Left চাপুন।</translation>
    </message>
    <message>
        <source>Enter shows the failures of the provider, Left and Right walk through the past minutes</source>
        <translation>Enter প্রোভাইডারের ব্যর্থতা দেখায়, Left ও Right অতীতের মিনিটগুলোতে নিয়ে যায়</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>time, what was</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1. A click keeps it.</source>
        <translation>%1। ক্লিক করলে এটি থেকে যায়।</translation>
    </message>
</context>
<context>
    <name>omni::Rail</name>
    <message>
        <source>Pages</source>
        <translation>পাতা</translation>
    </message>
</context>
<context>
    <name>omni::RailButton</name>
    <message numerus="yes">
        <source>%1, %Ln out of service</source>
        <translation>
            <numerusform>%1, %Lnটি সেবার বাইরে</numerusform>
            <numerusform>%1, %Lnটি সেবার বাইরে</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>omni::RequestDetail</name>
    <message>
        <source>Targets of the request</source>
        <translation>রিকোয়েস্টের টার্গেট</translation>
    </message>
    <message>
        <source>Headers of the request</source>
        <translation>রিকোয়েস্টের হেডার</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>টেক্সট হিসেবে কপি</translation>
    </message>
    <message>
        <source>Parts of the request</source>
        <translation>রিকোয়েস্টের অংশ</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>টার্গেট</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>হেডার</translation>
    </message>
    <message>
        <source>Copy as curl</source>
        <translation>curl হিসেবে কপি</translation>
    </message>
    <message>
        <source>A shell command that asks the same way. Its key and its prompt stand as placeholders: neither is kept.</source>
        <translation>একইভাবে চাওয়ার একটি শেল কমান্ড। কী ও প্রম্পটের জায়গায় প্লেসহোল্ডার থাকে: কোনোটিই রাখা হয় না।</translation>
    </message>
    <message>
        <source>Open connection</source>
        <translation>কানেকশন খুলুন</translation>
    </message>
    <message>
        <source>combo %1</source>
        <translation>কম্বো %1</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>স্ট্রিম</translation>
    </message>
    <message>
        <source>added by us %1</source>
        <translation>আমাদের যোগ করা %1</translation>
    </message>
    <message>
        <source>first token %1</source>
        <translation>প্রথম টোকেন %1</translation>
    </message>
    <message>
        <source>tokens %1</source>
        <translation>টোকেন %1</translation>
    </message>
    <message>
        <source>key %1</source>
        <translation>কী %1</translation>
    </message>
    <message>
        <source>request %1</source>
        <translation>রিকোয়েস্ট %1</translation>
    </message>
    <message>
        <source>Targets (%1)</source>
        <translation>টার্গেট (%1)</translation>
    </message>
    <message>
        <source>Targets (%1 tried, %2 left out)</source>
        <translation>টার্গেট (%1টি চেষ্টা, %2টি বাদ)</translation>
    </message>
    <message>
        <source>Headers (%1)</source>
        <translation>হেডার (%1)</translation>
    </message>
    <message>
        <source>The request was copied as text.</source>
        <translation>রিকোয়েস্টটি টেক্সট হিসেবে কপি হয়েছে।</translation>
    </message>
    <message>
        <source>The request was copied as a curl command.</source>
        <translation>রিকোয়েস্টটি curl কমান্ড হিসেবে কপি হয়েছে।</translation>
    </message>
</context>
<context>
    <name>omni::RequestFilterBar</name>
    <message>
        <source>Failures only</source>
        <translation>শুধু ব্যর্থতা</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>ফিল্টার</translation>
    </message>
    <message>
        <source>Filter the requests</source>
        <translation>রিকোয়েস্ট ফিল্টার করুন</translation>
    </message>
    <message>
        <source>A part of the model, path, connection, error or id</source>
        <translation>মডেল, পাথ, কানেকশন, ত্রুটি বা আইডি-র অংশ</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>পরিণতি</translation>
    </message>
    <message>
        <source>All outcomes</source>
        <translation>সব পরিণতি</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>All providers</source>
        <translation>সব প্রোভাইডার</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>All connections</source>
        <translation>সব কানেকশন</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>সব মডেল</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>ক্লায়েন্ট</translation>
    </message>
    <message>
        <source>All clients</source>
        <translation>সব ক্লায়েন্ট</translation>
    </message>
    <message>
        <source>%1 (deleted)</source>
        <comment>connection</comment>
        <translation>%1 (মুছে ফেলা)</translation>
    </message>
</context>
<context>
    <name>omni::RequestText</name>
    <message>
        <source>%1, which answered %2</source>
        <translation>%1, যার উত্তর %2</translation>
    </message>
    <message>
        <source>%1, which gave no answer (%2)</source>
        <translation>%1, যে উত্তর দেয়নি (%2)</translation>
    </message>
    <message>
        <source>%1, which gave no answer</source>
        <translation>%1, যে উত্তর দেয়নি</translation>
    </message>
    <message>
        <source>Answered by the proxy itself after %1</source>
        <translation>%1 পর প্রক্সি নিজেই উত্তর দিয়েছে</translation>
    </message>
    <message>
        <source>Answered by %1 after %2</source>
        <translation>%2 পর %1 উত্তর দিয়েছে</translation>
    </message>
    <message>
        <source>No target could answer; the client was told %1 after %2</source>
        <translation>কোনো টার্গেট উত্তর দিতে পারেনি; %2 পর ক্লায়েন্টকে %1 জানানো হয়েছে</translation>
    </message>
    <message>
        <source>No target could answer; given up after %1</source>
        <translation>কোনো টার্গেট উত্তর দিতে পারেনি; %1 পর হাল ছাড়া হয়েছে</translation>
    </message>
    <message>
        <source>The answer of %1 broke off after %2</source>
        <translation>%1-এর উত্তর %2 পর মাঝপথে ছিন্ন হয়েছে</translation>
    </message>
    <message>
        <source>The client left after %1</source>
        <translation>%1 পর ক্লায়েন্ট চলে গেছে</translation>
    </message>
    <message>
        <source>The client left after %1, while %2 was answering</source>
        <translation>%1 পর ক্লায়েন্ট চলে গেছে, তখন %2 উত্তর দিচ্ছিল</translation>
    </message>
    <message>
        <source>The client left after %1, while waiting for %2</source>
        <translation>%1 পর ক্লায়েন্ট চলে গেছে, তখন %2-এর অপেক্ষা চলছিল</translation>
    </message>
    <message>
        <source>Refused by the proxy with %1</source>
        <translation>প্রক্সি %1 দিয়ে প্রত্যাখ্যান করেছে</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>উত্তর দিয়েছে</translation>
    </message>
    <message>
        <source>began after %1</source>
        <translation>শুরু %1 পর</translation>
    </message>
    <message>
        <source>connected in %1</source>
        <translation>সংযোগ %1-এ</translation>
    </message>
    <message>
        <source>first byte at %1</source>
        <translation>প্রথম বাইট %1-এ</translation>
    </message>
    <message>
        <source>first token at %1</source>
        <translation>প্রথম টোকেন %1-এ</translation>
    </message>
    <message>
        <source>ended at %1</source>
        <translation>শেষ %1-এ</translation>
    </message>
    <message>
        <source>, then </source>
        <comment>between targets tried</comment>
        <translation>, তারপর </translation>
    </message>
    <message>
        <source>%1; first tried %2</source>
        <translation>%1; আগে চেষ্টা হয়েছে %2</translation>
    </message>
    <message>
        <source>%1; tried %2</source>
        <translation>%1; চেষ্টা হয়েছে %2</translation>
    </message>
    <message>
        <source>%1.</source>
        <comment>end of a sentence</comment>
        <translation>%1।</translation>
    </message>
    <message>
        <source>Request %1, %2</source>
        <translation>রিকোয়েস্ট %1, %2</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>মডেল: %1</translation>
    </message>
    <message>
        <source>Combo: %1</source>
        <translation>কম্বো: %1</translation>
    </message>
    <message>
        <source>Duration %1, of it our own %2, first token %3</source>
        <translation>সময় %1, তার মধ্যে আমাদের %2, প্রথম টোকেন %3</translation>
    </message>
    <message>
        <source>Tokens: %1</source>
        <translation>টোকেন: %1</translation>
    </message>
    <message>
        <source>Client: %1</source>
        <translation>ক্লায়েন্ট: %1</translation>
    </message>
    <message>
        <source>Error: %1</source>
        <translation>ত্রুটি: %1</translation>
    </message>
    <message>
        <source>Targets tried:</source>
        <translation>চেষ্টা করা টার্গেট:</translation>
    </message>
    <message>
        <source>Targets left out:</source>
        <translation>বাদ দেওয়া টার্গেট:</translation>
    </message>
    <message>
        <source>Request headers:</source>
        <translation>রিকোয়েস্ট হেডার:</translation>
    </message>
    <message>
        <source>Response headers:</source>
        <translation>উত্তরের হেডার:</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>বাদ</translation>
    </message>
    <message>
        <source>left out, tried again in %1</source>
        <translation>বাদ, %1 পর আবার চেষ্টা</translation>
    </message>
    <message>
        <source>left out, for another %1</source>
        <translation>বাদ, আরও %1</translation>
    </message>
</context>
<context>
    <name>omni::RequestsModel</name>
    <message>
        <source>Time</source>
        <translation>সময়</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>পরিণতি</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>স্ট্যাটাস</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>টার্গেট</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>ক্লায়েন্ট</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>সময়কাল</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>প্রথম টোকেন</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>টোকেন</translation>
    </message>
    <message>
        <source>Tries</source>
        <translation>চেষ্টা</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>ত্রুটি</translation>
    </message>
</context>
<context>
    <name>omni::RequestsPage</name>
    <message>
        <source>Requests</source>
        <translation>রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>Choose a request to see which targets were tried, and why.</source>
        <translation>কোন টার্গেট কেন চেষ্টা করা হয়েছে তা দেখতে একটি রিকোয়েস্ট বেছে নিন।</translation>
    </message>
    <message>
        <source>↑ One newer request</source>
        <translation>↑ একটি নতুন রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>↑ %1 newer requests</source>
        <translation>↑ %1টি নতুন রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>The history cannot be read: %1</source>
        <translation>ইতিহাস পড়া যাচ্ছে না: %1</translation>
    </message>
    <message>
        <source>Reading the history…</source>
        <translation>ইতিহাস পড়া হচ্ছে…</translation>
    </message>
    <message>
        <source>One request matches</source>
        <translation>একটি রিকোয়েস্ট মেলে</translation>
    </message>
    <message>
        <source>%1 requests match</source>
        <translation>%1টি রিকোয়েস্ট মেলে</translation>
    </message>
    <message>
        <source>One request kept</source>
        <translation>একটি রিকোয়েস্ট রাখা আছে</translation>
    </message>
    <message>
        <source>%1 requests kept</source>
        <translation>%1টি রিকোয়েস্ট রাখা আছে</translation>
    </message>
    <message>
        <source>No request matches the filter.</source>
        <translation>ফিল্টারের সাথে কোনো রিকোয়েস্ট মেলে না।</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>সব দেখান</translation>
    </message>
    <message>
        <source>No requests yet. Point a client at %1 and ask it something.</source>
        <translation>এখনো কোনো রিকোয়েস্ট নেই। কোনো ক্লায়েন্টকে %1-এ যুক্ত করে কিছু জিজ্ঞেস করুন।</translation>
    </message>
    <message>
        <source>Copy base URL</source>
        <translation>বেস URL কপি</translation>
    </message>
    <message>
        <source>This request is no longer kept.</source>
        <translation>এই রিকোয়েস্টটি আর রাখা নেই।</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>টেক্সট হিসেবে কপি</translation>
    </message>
    <message>
        <source>Copy this request with its details</source>
        <translation>এই রিকোয়েস্ট বিস্তারিতসহ কপি করুন</translation>
    </message>
    <message>
        <source>Copy as curl</source>
        <translation>curl হিসেবে কপি</translation>
    </message>
    <message>
        <source>Copy the request&apos;s id</source>
        <translation>রিকোয়েস্টের আইডি কপি করুন</translation>
    </message>
    <message>
        <source>Open the connection</source>
        <translation>কানেকশন খুলুন</translation>
    </message>
    <message>
        <source>Only this connection</source>
        <translation>শুধু এই কানেকশন</translation>
    </message>
    <message>
        <source>Only this model</source>
        <translation>শুধু এই মডেল</translation>
    </message>
</context>
<context>
    <name>omni::ResilienceText</name>
    <message>
        <source>%1 each time</source>
        <translation>প্রতিবার %1</translation>
    </message>
    <message>
        <source>%1, then %2 each time</source>
        <comment>lengths of time</comment>
        <translation>%1, এরপর প্রতিবার %2</translation>
    </message>
    <message>
        <source>%1, … up to %2 from failure %3 on</source>
        <comment>lengths of time</comment>
        <translation>%1, … %3 নম্বর ব্যর্থতা থেকে %2</translation>
    </message>
    <message>
        <source>Each failure: out for %1.</source>
        <translation>প্রতিটি ব্যর্থতায়: %1 বাইরে।</translation>
    </message>
    <message>
        <source>First failure: out for %1. Every further one in a row: out for %2.</source>
        <translation>প্রথম ব্যর্থতায়: %1 বাইরে। পরপর আরও প্রতিটিতে: %2 বাইরে।</translation>
    </message>
    <message>
        <source>First failure: out for %1. Second in a row: out for %2. Third in a row: out for %3.</source>
        <translation>প্রথম ব্যর্থতায়: %1 বাইরে। পরপর দ্বিতীয়টিতে: %2 বাইরে। পরপর তৃতীয়টিতে: %3 বাইরে।</translation>
    </message>
    <message>
        <source>From failure %1 in a row on: out for %2.</source>
        <translation>পরপর %1 নম্বর ব্যর্থতা থেকে: %2 বাইরে।</translation>
    </message>
    <message>
        <source>A 429 that asks for 60 seconds: out for %1.</source>
        <translation>৬০ সেকেন্ড চাওয়া 429-এ: %1 বাইরে।</translation>
    </message>
    <message>
        <source>After %1 failures: degraded, still serving; closed again after %2 without another one.</source>
        <translation>%1টি ব্যর্থতার পর: ডিগ্রেডেড, তবু সেবা দেয়; আর ব্যর্থতা না হলে %2 পরে আবার ক্লোজড।</translation>
    </message>
    <message>
        <source>After %1 failures: open, nothing is sent for %2; then one request probes.</source>
        <translation>%1টি ব্যর্থতার পর: ওপেন, %2 কিছুই পাঠানো হয় না; তারপর একটি রিকোয়েস্ট পরীক্ষা করে।</translation>
    </message>
    <message>
        <source>While probes fail it stays open longer, up to %1.</source>
        <translation>পরীক্ষা ব্যর্থ হতে থাকলে আরও বেশি সময় ওপেন থাকে, সর্বোচ্চ %1।</translation>
    </message>
    <message>
        <source>Each success takes one failure off.</source>
        <translation>প্রতিটি সফলতা একটি ব্যর্থতা কমায়।</translation>
    </message>
    <message>
        <source>Off: the next request to a combo tries a provider again even when it has just failed.</source>
        <translation>বন্ধ: প্রোভাইডার এইমাত্র ব্যর্থ হলেও কম্বোর পরের রিকোয়েস্ট তাকে আবার চেষ্টা করে।</translation>
    </message>
    <message>
        <source>A connection that failed is left out of combos: %1.</source>
        <translation>ব্যর্থ কানেকশন কম্বো থেকে বাদ থাকে: %1।</translation>
    </message>
    <message>
        <source>%1 failures within %2: out for %3</source>
        <comment>of a whole provider</comment>
        <translation>%2-এর মধ্যে %1টি ব্যর্থতা: %3 বাইরে</translation>
    </message>
    <message>
        <source>A whole provider with API keys: %1. With sign-ins: %2.</source>
        <translation>API কী-র পুরো প্রোভাইডার: %1। সাইন-ইনের: %2।</translation>
    </message>
    <message>
        <source>A daily quota that is spent now counts as back in %1, at %2.</source>
        <translation>এখন শেষ হওয়া দৈনিক কোটা %1 পরে, %2-এ ফিরে এসেছে বলে ধরা হয়।</translation>
    </message>
    <message>
        <source>Off: only an answer that is about one model locks it.</source>
        <translation>বন্ধ: কেবল একটি মডেল নিয়ে দেওয়া উত্তরই সেই মডেলকে লক করে।</translation>
    </message>
    <message>
        <source>A 429 of a provider that counts quota by model: %1.</source>
        <translation>মডেল ধরে কোটা গোনে এমন প্রোভাইডারের 429: %1।</translation>
    </message>
    <message>
        <source>%1: never the fault of a model, locks nothing.</source>
        <comment>HTTP statuses</comment>
        <translation>%1: কখনো মডেলের দোষ নয়, কিছুই লক করে না।</translation>
    </message>
    <message>
        <source>%1: the model is locked for %2.</source>
        <comment>HTTP statuses</comment>
        <translation>%1: মডেল লক থাকে %2।</translation>
    </message>
</context>
<context>
    <name>omni::RouteListModel</name>
    <message>
        <source>%1. %2 at %3</source>
        <comment>number, model, provider or connection</comment>
        <translation>%1. %2, %3-এ</translation>
    </message>
    <message>
        <source>Target %1 leads nowhere</source>
        <translation>টার্গেট %1 কোথাও যায় না</translation>
    </message>
    <message>
        <source>Targets %1 lead nowhere</source>
        <translation>টার্গেট %1 কোথাও যায় না</translation>
    </message>
    <message>
        <source>Combo</source>
        <translation>কম্বো</translation>
    </message>
    <message>
        <source>Alias</source>
        <translation>অ্যালিয়াস</translation>
    </message>
    <message>
        <source>State</source>
        <translation>অবস্থা</translation>
    </message>
    <message>
        <source>Goes to now</source>
        <translation>এখন যায়</translation>
    </message>
    <message>
        <source>Models in order</source>
        <translation>ক্রমে মডেল</translation>
    </message>
    <message>
        <source>Stands for</source>
        <translation>যার বদলে</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>সমস্যা</translation>
    </message>
</context>
<context>
    <name>omni::RouteText</name>
    <message>
        <source>This provider does not exist any more.</source>
        <translation>এই প্রোভাইডার আর নেই।</translation>
    </message>
    <message>
        <source>This provider has no connection.</source>
        <translation>এই প্রোভাইডারের কোনো কানেকশন নেই।</translation>
    </message>
    <message>
        <source>This connection does not exist any more.</source>
        <translation>এই কানেকশন আর নেই।</translation>
    </message>
    <message>
        <source>This connection belongs to another provider.</source>
        <translation>এই কানেকশনটি অন্য প্রোভাইডারের।</translation>
    </message>
    <message>
        <source>No connection lists this model.</source>
        <translation>কোনো কানেকশনের তালিকায় এই মডেল নেই।</translation>
    </message>
    <message>
        <source>Switched off.</source>
        <translation>বন্ধ করা আছে।</translation>
    </message>
    <message>
        <source>In this order (priority)</source>
        <translation>এই ক্রমে (priority)</translation>
    </message>
    <message>
        <source>OpenAI chat</source>
        <translation>OpenAI চ্যাট</translation>
    </message>
    <message>
        <source>OpenAI completions</source>
        <translation>OpenAI কমপ্লিশন</translation>
    </message>
    <message>
        <source>OpenAI embeddings</source>
        <translation>OpenAI এমবেডিং</translation>
    </message>
    <message>
        <source>OpenAI responses</source>
        <translation>OpenAI রেসপন্স</translation>
    </message>
    <message>
        <source>Anthropic messages</source>
        <translation>Anthropic মেসেজ</translation>
    </message>
    <message>
        <source>Anthropic token count</source>
        <translation>Anthropic টোকেন গণনা</translation>
    </message>
    <message>
        <source>serving</source>
        <translation>সেবা দিচ্ছে</translation>
    </message>
    <message>
        <source>on a later target</source>
        <translation>পরের টার্গেটে</translation>
    </message>
    <message>
        <source>nobody now</source>
        <translation>এখন কেউ নেই</translation>
    </message>
    <message>
        <source>leads nowhere</source>
        <translation>কোথাও যায় না</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>connection, model</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>back at %1</source>
        <translation>%1-এ ফিরবে</translation>
    </message>
</context>
<context>
    <name>omni::RuleDialog</name>
    <message>
        <source>seconds</source>
        <translation>সেকেন্ড</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>মিনিট</translation>
    </message>
    <message>
        <source>hours</source>
        <translation>ঘণ্টা</translation>
    </message>
    <message>
        <source>days</source>
        <translation>দিন</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>সংরক্ষণ</translation>
    </message>
    <message>
        <source>Edit error rule</source>
        <translation>ত্রুটির নিয়ম সম্পাদনা</translation>
    </message>
    <message>
        <source>Add an error rule</source>
        <translation>ত্রুটির নিয়ম যোগ করুন</translation>
    </message>
    <message>
        <source>Try it before you save</source>
        <translation>সংরক্ষণের আগে পরখ করুন</translation>
    </message>
    <message>
        <source>Paste an answer: its status, headers and body, or all of it into the headers.</source>
        <translation>একটি উত্তর পেস্ট করুন: স্ট্যাটাস, হেডার ও বডি, অথবা পুরোটাই হেডারের ঘরে।</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>HTTP status</source>
        <translation>HTTP স্ট্যাটাস</translation>
    </message>
    <message>
        <source>Text in the answer</source>
        <translation>উত্তরে যে টেক্সট</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>এর অর্থ</translation>
    </message>
    <message>
        <source>What it holds</source>
        <translation>কী বিরতিতে যায়</translation>
    </message>
    <message>
        <source>For how long</source>
        <translation>কতক্ষণ</translation>
    </message>
    <message>
        <source>Unit of the time</source>
        <translation>সময়ের একক</translation>
    </message>
    <message>
        <source>as the ladder says</source>
        <translation>ধাপ অনুযায়ী</translation>
    </message>
    <message>
        <source>&amp;Provider</source>
        <translation>প্রোভাইডার (&amp;P)</translation>
    </message>
    <message>
        <source>S&amp;tatus</source>
        <translation>স্ট্যাটাস (&amp;T)</translation>
    </message>
    <message>
        <source>Te&amp;xt</source>
        <translation>টেক্সট (&amp;X)</translation>
    </message>
    <message>
        <source>Found anywhere in the answer, in any case, taken literally.</source>
        <translation>উত্তরের যেকোনো জায়গায়, ছোট-বড় হাতের অক্ষর নির্বিশেষে, হুবহু মেলে।</translation>
    </message>
    <message>
        <source>&amp;Means</source>
        <translation>অর্থ (&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Holds</source>
        <translation>বিরতিতে যায় (&amp;H)</translation>
    </message>
    <message>
        <source>&amp;For</source>
        <translation>সময় (&amp;F)</translation>
    </message>
    <message>
        <source>Empty: doubled with each failure in a row, as set under Resilience. A longer wait that the provider asks for is obeyed where Resilience says so.</source>
        <translation>খালি: রেজিলিয়েন্সে যেমন ঠিক করা, পরপর প্রতিটি ব্যর্থতায় দ্বিগুণ। প্রোভাইডার আরও দীর্ঘ অপেক্ষা চাইলে রেজিলিয়েন্সের সেটিং অনুযায়ী মানা হয়।</translation>
    </message>
    <message>
        <source>There may be %1 rules at most. Delete one first.</source>
        <translation>সর্বোচ্চ %1টি নিয়ম থাকতে পারে। আগে একটি মুছুন।</translation>
    </message>
    <message>
        <source>Not 400: such an answer is judged by what it says of the request, so the rule would never act.</source>
        <translation>400 নয়: এমন উত্তর রিকোয়েস্ট নিয়ে কী বলে তা দিয়েই বিচার হয়, তাই নিয়মটি কখনো কাজ করত না।</translation>
    </message>
    <message>
        <source>Must be a number from 100 to 599, and not 400.</source>
        <translation>100 থেকে 599-এর মধ্যে একটি সংখ্যা হতে হবে, 400 বাদে।</translation>
    </message>
    <message>
        <source>Must be a text of 1 to 500 characters.</source>
        <translation>১ থেকে ৫০০ অক্ষরের টেক্সট হতে হবে।</translation>
    </message>
    <message>
        <source>Must be a time from 0 to 30 days, or empty.</source>
        <translation>০ থেকে ৩০ দিনের মধ্যে একটি সময়, অথবা খালি হতে হবে।</translation>
    </message>
    <message>
        <source>Cannot be used.</source>
        <translation>ব্যবহার করা যায় না।</translation>
    </message>
    <message>
        <source>Say which text the answer holds.</source>
        <translation>উত্তরে কোন টেক্সট থাকে তা লিখুন।</translation>
    </message>
</context>
<context>
    <name>omni::RuleEdits</name>
    <message>
        <source>this model</source>
        <translation>এই মডেল</translation>
    </message>
    <message>
        <source>the connection</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>the whole provider</source>
        <translation>পুরো প্রোভাইডার</translation>
    </message>
</context>
<context>
    <name>omni::RulesBar</name>
    <message>
        <source>A stalled stream rests its connection</source>
        <translation>থেমে যাওয়া স্ট্রিম তার কানেকশনকে বিশ্রামে পাঠায়</translation>
    </message>
    <message>
        <source>Off, a stream that brings nothing in time is only noted: most often the model thinks.</source>
        <translation>বন্ধ থাকলে সময়মতো কিছু না আনা স্ট্রিম শুধু লিখে রাখা হয়: বেশিরভাগ সময় মডেল ভাবছে।</translation>
    </message>
    <message>
        <source>API key:</source>
        <translation>API কী:</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API কী</translation>
    </message>
    <message>
        <source>OAuth:</source>
        <translation>OAuth:</translation>
    </message>
    <message>
        <source>OAuth</source>
        <translation>OAuth</translation>
    </message>
    <message>
        <source>first rest</source>
        <translation>প্রথম বিশ্রাম</translation>
    </message>
    <message>
        <source>%1, first rest</source>
        <translation>%1, প্রথম বিশ্রাম</translation>
    </message>
    <message>
        <source>How long the first failure rests a connection; each further step doubles it. %1</source>
        <translation>প্রথম ব্যর্থতা কানেকশনকে কতক্ষণ বিশ্রামে রাখে; প্রতিটি পরের ধাপে দ্বিগুণ হয়। %1</translation>
    </message>
    <message>
        <source>highest step</source>
        <translation>সর্বোচ্চ ধাপ</translation>
    </message>
    <message>
        <source>%1, highest backoff step</source>
        <translation>%1, সর্বোচ্চ ব্যাকঅফ ধাপ</translation>
    </message>
    <message>
        <source>How often the rest is doubled at most. %1</source>
        <translation>বিশ্রাম সর্বোচ্চ কতবার দ্বিগুণ হবে। %1</translation>
    </message>
    <message>
        <source>%1: must be a number from %2.</source>
        <comment>name of the field, range</comment>
        <translation>%1: সংখ্যাটি %2-এর মধ্যে হতে হবে।</translation>
    </message>
    <message>
        <source>%1: must be a number.</source>
        <comment>name of the field</comment>
        <translation>%1: একটি সংখ্যা হতে হবে।</translation>
    </message>
    <message>
        <source>✓ saved</source>
        <translation>✓ সংরক্ষিত</translation>
    </message>
</context>
<context>
    <name>omni::RulesModel</name>
    <message>
        <source>as the ladder says</source>
        <translation>ধাপ অনুযায়ী</translation>
    </message>
    <message>
        <source>%1, HTTP %2, “%3”</source>
        <translation>%1, HTTP %2, “%3”</translation>
    </message>
    <message>
        <source>The first rule of a provider that fits decides.</source>
        <translation>প্রোভাইডারের প্রথম যে নিয়ম মেলে সেটিই ঠিক করে।</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>ক্রম</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>স্ট্যাটাস</translation>
    </message>
    <message>
        <source>Text in the answer</source>
        <translation>উত্তরে যে টেক্সট</translation>
    </message>
    <message>
        <source>Means</source>
        <translation>অর্থ</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>বিরতিতে যায়</translation>
    </message>
    <message>
        <source>For</source>
        <translation>কতক্ষণ</translation>
    </message>
</context>
<context>
    <name>omni::RulesPanel</name>
    <message>
        <source>Add…</source>
        <translation>যোগ করুন…</translation>
    </message>
    <message>
        <source>Add an error rule</source>
        <translation>ত্রুটির নিয়ম যোগ করুন</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>সম্পাদনা</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>আগে</translation>
    </message>
    <message>
        <source>The first rule of a provider that fits decides.</source>
        <translation>প্রোভাইডারের প্রথম যে নিয়ম মেলে সেটিই ঠিক করে।</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>পরে</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>মুছুন</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>ফিল্টার</translation>
    </message>
    <message>
        <source>Filter the rules</source>
        <translation>নিয়ম ফিল্টার করুন</translation>
    </message>
    <message>
        <source>Error rules</source>
        <translation>ত্রুটির নিয়ম</translation>
    </message>
    <message>
        <source>No rule yet. A rule says what an answer of one provider means: with this status and this text, what is it, and what rests for how long?</source>
        <translation>এখনো কোনো নিয়ম নেই। নিয়ম বলে দেয় একটি প্রোভাইডারের উত্তরের অর্থ কী: এই স্ট্যাটাস ও এই টেক্সট থাকলে সেটি কী, আর কী কতক্ষণ বিশ্রাম নেবে?</translation>
    </message>
    <message>
        <source>Add a rule</source>
        <translation>নিয়ম যোগ করুন</translation>
    </message>
    <message>
        <source>No rule matches the filter.</source>
        <translation>ফিল্টারের সঙ্গে কোনো নিয়ম মেলে না।</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>সব দেখান</translation>
    </message>
    <message>
        <source>%1 of at most %2 rules, those of all providers together.</source>
        <translation>সব প্রোভাইডার মিলিয়ে সর্বোচ্চ %2টি নিয়মের %1টি।</translation>
    </message>
    <message>
        <source>The rule is in force.</source>
        <translation>নিয়মটি কার্যকর।</translation>
    </message>
    <message>
        <source>The rule is deleted.</source>
        <translation>নিয়মটি মুছে গেছে।</translation>
    </message>
    <message>
        <source>%1 rules are deleted.</source>
        <translation>%1টি নিয়ম মুছে গেছে।</translation>
    </message>
    <message>
        <source>Add a rule…</source>
        <translation>নিয়ম যোগ করুন…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>সম্পাদনা…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>প্রতিলিপি</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>টেক্সট হিসেবে কপি</translation>
    </message>
</context>
<context>
    <name>omni::SettingRow</name>
    <message>
        <source>Set “%1” back to its default</source>
        <translation>“%1” ডিফল্টে ফেরান</translation>
    </message>
    <message>
        <source>Back to the default</source>
        <translation>ডিফল্টে ফেরান</translation>
    </message>
    <message>
        <source>default: %1</source>
        <translation>ডিফল্ট: %1</translation>
    </message>
    <message>
        <source>✓ saved</source>
        <translation>✓ সংরক্ষিত</translation>
    </message>
    <message>
        <source>set here</source>
        <translation>এখানে ঠিক করা</translation>
    </message>
    <message>
        <source>from the environment</source>
        <translation>এনভায়রনমেন্ট থেকে</translation>
    </message>
    <message>
        <source>The environment variable %1 can stand for the default.</source>
        <translation>এনভায়রনমেন্ট ভেরিয়েবল %1 ডিফল্টের জায়গা নিতে পারে।</translation>
    </message>
</context>
<context>
    <name>omni::SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>সেটিংস</translation>
    </message>
    <message>
        <source>Changes take effect at once.</source>
        <translation>পরিবর্তন সঙ্গে সঙ্গে কার্যকর হয়।</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>সেটিং খুঁজুন</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>বিভাগ</translation>
    </message>
    <message>
        <source>No setting has these words.</source>
        <translation>এই শব্দে কোনো সেটিং নেই।</translation>
    </message>
    <message>
        <source>Show all settings</source>
        <translation>সব সেটিং দেখান</translation>
    </message>
    <message>
        <source>Possible once clients need a key.</source>
        <translation>ক্লায়েন্টদের কী লাগলে তবেই সম্ভব।</translation>
    </message>
    <message>
        <source>Needed as long as the proxy is reachable from the network.</source>
        <translation>নেটওয়ার্ক থেকে প্রক্সিতে পৌঁছানো গেলে এটি আবশ্যক।</translation>
    </message>
    <message>
        <source>Use port %1</source>
        <translation>পোর্ট %1 ব্যবহার করুন</translation>
    </message>
    <message>
        <source>The database takes %1 now.</source>
        <translation>ডেটাবেস এখন %1 জায়গা নিচ্ছে।</translation>
    </message>
    <message>
        <source>Your keys are encrypted, and the system&apos;s key store holds the key to them.</source>
        <translation>আপনার কী-গুলো এনক্রিপ্ট করা, আর সেগুলো খোলার চাবি সিস্টেমের কী-স্টোরে আছে।</translation>
    </message>
    <message>
        <source>Your keys are encrypted; the key to them is a file in the data folder that only you can read. Anyone who can read your files can read them: no key store of the system could be used.</source>
        <translation>আপনার কী-গুলো এনক্রিপ্ট করা; সেগুলো খোলার চাবি ডেটা ফোল্ডারের একটি ফাইল, যা শুধু আপনি পড়তে পারেন। যে আপনার ফাইল পড়তে পারে সে কী-গুলোও পড়তে পারবে: সিস্টেমের কোনো কী-স্টোর ব্যবহার করা যায়নি।</translation>
    </message>
    <message>
        <source>Your keys are encrypted under the passphrase given at the start. It is stored nowhere.</source>
        <translation>আপনার কী-গুলো শুরুতে দেওয়া পাসফ্রেজ দিয়ে এনক্রিপ্ট করা। সেটি কোথাও রাখা হয় না।</translation>
    </message>
    <message>
        <source>Your keys are kept in memory only and are gone when the program ends.</source>
        <translation>আপনার কী-গুলো শুধু মেমরিতে আছে; প্রোগ্রাম শেষ হলে মুছে যায়।</translation>
    </message>
    <message>
        <source>The keys cannot be read now: the key store is locked, or the key to them is missing. Connections that need one are left out.</source>
        <translation>এখন কী-গুলো পড়া যাচ্ছে না: কী-স্টোর লক করা, অথবা খোলার চাবি নেই। যেসব কানেকশনের কী দরকার সেগুলো বাদ থাকছে।</translation>
    </message>
    <message>
        <source>Clear the request log?</source>
        <translation>রিকোয়েস্ট লগ মুছবেন?</translation>
    </message>
    <message>
        <source>Clear the log</source>
        <translation>লগ মুছুন</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>The request log is empty now.</source>
        <translation>রিকোয়েস্ট লগ এখন খালি।</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>প্রক্সি</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>পোর্ট</translation>
    </message>
    <message>
        <source>Clients reach the proxy at http://127.0.0.1:port/v1.</source>
        <translation>ক্লায়েন্টরা http://127.0.0.1:port/v1 ঠিকানায় প্রক্সি পায়।</translation>
    </message>
    <message>
        <source>Serve as soon as OmniRoute starts</source>
        <translation>OmniRoute চালু হলেই সেবা শুরু</translation>
    </message>
    <message>
        <source>Off: the proxy waits until you press Start.</source>
        <translation>বন্ধ থাকলে: “চালু করুন” চাপা পর্যন্ত প্রক্সি অপেক্ষা করে।</translation>
    </message>
    <message>
        <source>Clients need a key</source>
        <translation>ক্লায়েন্টদের কী লাগবে</translation>
    </message>
    <message>
        <source>Reachable from the network</source>
        <translation>নেটওয়ার্ক থেকে প্রাপ্য</translation>
    </message>
    <message>
        <source>Other computers can use the proxy too.</source>
        <translation>অন্য কম্পিউটারও প্রক্সি ব্যবহার করতে পারে।</translation>
    </message>
    <message>
        <source>Web pages that may call the proxy</source>
        <translation>যেসব ওয়েব পেজ প্রক্সি ব্যবহার করতে পারে</translation>
    </message>
    <message>
        <source>Origins of browser apps, with commas between. Other web pages are refused.</source>
        <translation>ব্রাউজার অ্যাপের অরিজিন, মাঝে কমা দিয়ে। অন্য ওয়েব পেজ প্রত্যাখ্যাত হয়।</translation>
    </message>
    <message>
        <source>Largest request</source>
        <translation>সবচেয়ে বড় রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>A longer one is refused with 413.</source>
        <translation>এর চেয়ে বড় হলে 413 দিয়ে প্রত্যাখ্যাত হয়।</translation>
    </message>
    <message>
        <source>Largest request head</source>
        <translation>সবচেয়ে বড় রিকোয়েস্ট হেড</translation>
    </message>
    <message>
        <source>A longer one is refused with 431.</source>
        <translation>এর চেয়ে বড় হলে 431 দিয়ে প্রত্যাখ্যাত হয়।</translation>
    </message>
    <message>
        <source>Clients at once</source>
        <translation>একসাথে ক্লায়েন্ট</translation>
    </message>
    <message>
        <source>Network connections from clients, idle ones included.</source>
        <translation>ক্লায়েন্টদের নেটওয়ার্ক সংযোগ, অলসগুলোসহ।</translation>
    </message>
    <message>
        <source>Time for a request head</source>
        <translation>রিকোয়েস্ট হেডের সময়</translation>
    </message>
    <message>
        <source>From its first byte to its end.</source>
        <translation>প্রথম বাইট থেকে শেষ পর্যন্ত।</translation>
    </message>
    <message>
        <source>Pause within a request</source>
        <translation>রিকোয়েস্টের মাঝে বিরতি</translation>
    </message>
    <message>
        <source>Longest wait between two pieces of its body.</source>
        <translation>বডির দুই অংশের মাঝে সবচেয়ে দীর্ঘ অপেক্ষা।</translation>
    </message>
    <message>
        <source>Idle client connections</source>
        <translation>অলস ক্লায়েন্ট সংযোগ</translation>
    </message>
    <message>
        <source>Closed after this time without a request.</source>
        <translation>এতক্ষণ কোনো রিকোয়েস্ট না এলে বন্ধ হয়।</translation>
    </message>
    <message>
        <source>Start OmniRoute when I log in</source>
        <translation>লগইন করলে OmniRoute চালু করুন</translation>
    </message>
    <message>
        <source>It starts in the tray, without its window.</source>
        <translation>উইন্ডো ছাড়া ট্রে-তে চালু হয়।</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>Time to connect</source>
        <translation>সংযোগের সময়</translation>
    </message>
    <message>
        <source>Name look-up and encryption included.</source>
        <translation>নাম খোঁজা ও এনক্রিপশনসহ।</translation>
    </message>
    <message>
        <source>Time to the first byte</source>
        <translation>প্রথম বাইট পর্যন্ত সময়</translation>
    </message>
    <message>
        <source>Then the next target is tried. Also for answers that are not streamed.</source>
        <translation>এরপর পরের টার্গেট চেষ্টা হয়। স্ট্রিম নয় এমন উত্তরের জন্যও।</translation>
    </message>
    <message>
        <source>Time to the first word of a stream</source>
        <translation>স্ট্রিমের প্রথম শব্দ পর্যন্ত সময়</translation>
    </message>
    <message>
        <source>Pings and empty frames do not count.</source>
        <translation>পিং ও খালি ফ্রেম গোনা হয় না।</translation>
    </message>
    <message>
        <source>Pause within an answer</source>
        <translation>উত্তরের মাঝে বিরতি</translation>
    </message>
    <message>
        <source>Longest wait between two pieces of it.</source>
        <translation>এর দুই অংশের মাঝে সবচেয়ে দীর্ঘ অপেক্ষা।</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>সবচেয়ে দীর্ঘ উত্তর</translation>
    </message>
    <message>
        <source>One try at one target, from start to end.</source>
        <translation>একটি টার্গেটে একটি চেষ্টা, শুরু থেকে শেষ।</translation>
    </message>
    <message>
        <source>Additional certificates</source>
        <translation>অতিরিক্ত সার্টিফিকেট</translation>
    </message>
    <message>
        <source>A PEM file trusted besides the system&apos;s authorities, for company networks that inspect traffic.</source>
        <translation>সিস্টেমের সার্টিফিকেটের পাশাপাশি বিশ্বস্ত একটি PEM ফাইল; যেসব কোম্পানি নেটওয়ার্ক ট্রাফিক পরীক্ষা করে তাদের জন্য।</translation>
    </message>
    <message>
        <source>Use HTTP/2</source>
        <translation>HTTP/2 ব্যবহার</translation>
    </message>
    <message>
        <source>HTTP/1.1 is steadier for streams; change this only where a provider needs it.</source>
        <translation>স্ট্রিমের জন্য HTTP/1.1 বেশি স্থিতিশীল; প্রোভাইডারের দরকার হলেই কেবল বদলান।</translation>
    </message>
    <message>
        <source>Routing</source>
        <translation>রাউটিং</translation>
    </message>
    <message>
        <source>Take turns</source>
        <translation>পালাক্রমে</translation>
    </message>
    <message>
        <source>Connections of equal priority answer in turn. Off: the first one answers as long as it can.</source>
        <translation>সমান অগ্রাধিকারের কানেকশনগুলো পালা করে উত্তর দেয়। বন্ধ থাকলে: যতক্ষণ পারে প্রথমটিই উত্তর দেয়।</translation>
    </message>
    <message>
        <source>Another target before a retry</source>
        <translation>পুনঃচেষ্টার আগে অন্য টার্গেট</translation>
    </message>
    <message>
        <source>A target that failed is tried again only when no other is left.</source>
        <translation>ব্যর্থ টার্গেট আবার চেষ্টা হয় কেবল যখন আর কোনোটি বাকি নেই।</translation>
    </message>
    <message>
        <source>Targets tried for one request</source>
        <translation>এক রিকোয়েস্টে যত টার্গেট চেষ্টা হয়</translation>
    </message>
    <message>
        <source>Request log</source>
        <translation>রিকোয়েস্ট লগ</translation>
    </message>
    <message>
        <source>Keep requests for</source>
        <translation>রিকোয়েস্ট রাখার সময়</translation>
    </message>
    <message>
        <source>Older ones are deleted in the background.</source>
        <translation>পুরোনোগুলো আড়ালে মুছে যায়।</translation>
    </message>
    <message>
        <source>Keep at most</source>
        <translation>সর্বোচ্চ রাখুন</translation>
    </message>
    <message>
        <source>Requests in the log.</source>
        <translation>লগে রিকোয়েস্টের সংখ্যা।</translation>
    </message>
    <message>
        <source>Largest database</source>
        <translation>সবচেয়ে বড় ডেটাবেস</translation>
    </message>
    <message>
        <source>The oldest requests go first.</source>
        <translation>সবচেয়ে পুরোনো রিকোয়েস্ট আগে মুছে যায়।</translation>
    </message>
    <message>
        <source>Clear the log…</source>
        <translation>লগ মুছুন…</translation>
    </message>
    <message>
        <source>First rest after a failure</source>
        <translation>ব্যর্থতার পর প্রথম বিশ্রাম</translation>
    </message>
    <message>
        <source>A connection that fails again rests twice as long each time.</source>
        <translation>আবার ব্যর্থ হলে কানেকশন প্রতিবার দ্বিগুণ সময় বিশ্রাম নেয়।</translation>
    </message>
    <message>
        <source>Doublings</source>
        <translation>দ্বিগুণ হওয়া</translation>
    </message>
    <message>
        <source>How often the rest is doubled at most.</source>
        <translation>বিশ্রাম সর্বোচ্চ কতবার দ্বিগুণ হবে।</translation>
    </message>
    <message>
        <source>Obey the provider&apos;s Retry-After</source>
        <translation>প্রোভাইডারের Retry-After মেনে চলুন</translation>
    </message>
    <message>
        <source>When a provider says how long to wait, the connection rests that long.</source>
        <translation>প্রোভাইডার কতক্ষণ অপেক্ষা করতে হবে বললে কানেকশন ততক্ষণ বিশ্রাম নেয়।</translation>
    </message>
    <message>
        <source>Failures until degraded</source>
        <translation>ডিগ্রেড হতে যত ব্যর্থতা</translation>
    </message>
    <message>
        <source>The provider still serves, and its state is shown in amber.</source>
        <translation>প্রোভাইডার তখনও সেবা দেয়, অবস্থা হলুদে দেখানো হয়।</translation>
    </message>
    <message>
        <source>Must be lower than the failures until open, %1 now.</source>
        <translation>ওপেন হতে যত ব্যর্থতা লাগে (এখন %1) তার চেয়ে কম হতে হবে।</translation>
    </message>
    <message>
        <source>Failures until open</source>
        <translation>ওপেন হতে যত ব্যর্থতা</translation>
    </message>
    <message>
        <source>Time until a probe</source>
        <translation>প্রোব পর্যন্ত সময়</translation>
    </message>
    <message>
        <source>Then one request may find out whether it works again.</source>
        <translation>তারপর একটি রিকোয়েস্ট দেখে নিতে পারে আবার কাজ করছে কি না।</translation>
    </message>
    <message>
        <source>Protection of keys</source>
        <translation>কী-এর সুরক্ষা</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>চেহারা</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>থিম</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>সিস্টেম অনুযায়ী</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>হালকা</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>গাঢ়</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>ভাষা</translation>
    </message>
    <message>
        <source>&lt;b&gt;Concerns&lt;/b&gt; %1&lt;br&gt;&lt;b&gt;Set off by&lt;/b&gt; %2&lt;br&gt;&lt;b&gt;Then&lt;/b&gt; %3</source>
        <comment>three lines of a card&apos;s caption</comment>
        <translation>&lt;b&gt;পরিধি:&lt;/b&gt; %1&lt;br&gt;&lt;b&gt;কারণ:&lt;/b&gt; %2&lt;br&gt;&lt;b&gt;ফল:&lt;/b&gt; %3</translation>
    </message>
    <message>
        <source>The environment variable %1 decides this.</source>
        <translation>এনভায়রনমেন্ট ভেরিয়েবল %1 এটি ঠিক করে।</translation>
    </message>
    <message>
        <source>Every request in it is deleted, and this cannot be undone. Connections, settings and the usage figures stay.</source>
        <translation>এর প্রতিটি রিকোয়েস্ট মুছে যাবে, আর ফেরানো যাবে না। কানেকশন, সেটিংস ও ব্যবহারের হিসাব থাকবে।</translation>
    </message>
    <message>
        <source>Resilience</source>
        <translation>রেজিলিয়েন্স</translation>
    </message>
    <message>
        <source>Connection cooldown</source>
        <translation>কানেকশন কুলডাউন</translation>
    </message>
    <message>
        <source>one connection: other keys of its provider go on serving</source>
        <translation>একটি কানেকশন: তার প্রোভাইডারের অন্য কী সেবা দিতে থাকে</translation>
    </message>
    <message>
        <source>rate limits, server errors, lost connections and whatever else may pass</source>
        <translation>রেট লিমিট, সার্ভার ত্রুটি, হারানো সংযোগ ও অন্য যা কেটে যেতে পারে</translation>
    </message>
    <message>
        <source>the connection rests, longer with each failure in a row; a success or you put it back to the start</source>
        <translation>কানেকশন বিশ্রাম নেয়, পরপর প্রতিটি ব্যর্থতায় আরও বেশি; একটি সফলতা বা আপনি তাকে শুরুতে ফেরান</translation>
    </message>
    <message>
        <source>API keys</source>
        <translation>API কী</translation>
    </message>
    <message>
        <source>OAuth sign-ins</source>
        <translation>OAuth সাইন-ইন</translation>
    </message>
    <message>
        <source>Provider breaker</source>
        <translation>প্রোভাইডার ব্রেকার</translation>
    </message>
    <message>
        <source>a whole provider, whichever key is used</source>
        <translation>পুরো প্রোভাইডার, যে কী-ই ব্যবহার হোক</translation>
    </message>
    <message>
        <source>timeouts, server errors and lost connections; rate limits and refused keys never count</source>
        <translation>টাইমআউট, সার্ভার ত্রুটি ও হারানো সংযোগ; রেট লিমিট ও প্রত্যাখ্যাত কী কখনো গোনা হয় না</translation>
    </message>
    <message>
        <source>requests go to other providers until one request finds it working again</source>
        <translation>একটি রিকোয়েস্ট আবার কাজ করছে দেখা পর্যন্ত রিকোয়েস্ট অন্য প্রোভাইডারে যায়</translation>
    </message>
    <message>
        <source>The provider is left out. Lowered alone, it takes the other threshold down with it.</source>
        <translation>প্রোভাইডার বাদ পড়ে। শুধু এটি কমালে অন্য সীমাটিও সঙ্গে নামে।</translation>
    </message>
    <message>
        <source>Provider cooldown in combos</source>
        <translation>কম্বোতে প্রোভাইডার কুলডাউন</translation>
    </message>
    <message>
        <source>targets of combos, across requests</source>
        <translation>কম্বোর টার্গেট, রিকোয়েস্ট থেকে রিকোয়েস্টে</translation>
    </message>
    <message>
        <source>any failure that cools a connection</source>
        <translation>যে ব্যর্থতা কানেকশনকে বিশ্রামে পাঠায়</translation>
    </message>
    <message>
        <source>the next requests to a combo leave out what has just failed</source>
        <translation>কম্বোর পরের রিকোয়েস্টগুলো এইমাত্র ব্যর্থ টার্গেট বাদ দেয়</translation>
    </message>
    <message>
        <source>Remember what has just failed</source>
        <translation>এইমাত্র কী ব্যর্থ হলো মনে রাখুন</translation>
    </message>
    <message>
        <source>Besides breakers and cooldowns. Switched off, everything remembered is forgotten.</source>
        <translation>ব্রেকার ও কুলডাউনের পাশাপাশি। বন্ধ করলে মনে রাখা সবকিছু ভুলে যায়।</translation>
    </message>
    <message>
        <source>Shortest time left out</source>
        <translation>বাদ থাকার সর্বনিম্ন সময়</translation>
    </message>
    <message>
        <source>Doubled with each failure in a row. Raised alone, it takes the longest up with it.</source>
        <translation>পরপর প্রতিটি ব্যর্থতায় দ্বিগুণ। শুধু এটি বাড়ালে সর্বোচ্চটিও সঙ্গে ওঠে।</translation>
    </message>
    <message>
        <source>Longest time left out</source>
        <translation>বাদ থাকার সর্বোচ্চ সময়</translation>
    </message>
    <message>
        <source>Must be at least the shortest, %1 s now.</source>
        <translation>অন্তত সর্বনিম্নের সমান (এখন %1 সে.) হতে হবে।</translation>
    </message>
    <message>
        <source>Streams that stall</source>
        <translation>আটকে যাওয়া স্ট্রিম</translation>
    </message>
    <message>
        <source>A stalled stream rests its connection</source>
        <translation>থেমে যাওয়া স্ট্রিম তার কানেকশনকে বিশ্রামে পাঠায়</translation>
    </message>
    <message>
        <source>Off: a stream that brings nothing in time is noted, and its connection goes on serving: the stall is mostly one long thought of a model, not the account&apos;s fault.</source>
        <translation>বন্ধ: সময়মতো কিছু না আনা স্ট্রিম লিখে রাখা হয়, আর তার কানেকশন সেবা দিতে থাকে: এটি বেশিরভাগ সময় মডেলের দীর্ঘ ভাবনা, অ্যাকাউন্টের দোষ নয়।</translation>
    </message>
    <message>
        <source>Daily quotas</source>
        <translation>দৈনিক কোটা</translation>
    </message>
    <message>
        <source>Time zone</source>
        <translation>সময় অঞ্চল</translation>
    </message>
    <message>
        <source>In which the provider&apos;s day begins. Empty: this computer&apos;s own.</source>
        <translation>যেখানে প্রোভাইডারের দিন শুরু হয়। খালি: এই কম্পিউটারের নিজেরটি।</translation>
    </message>
    <message>
        <source>Hour of the day</source>
        <translation>দিনের ঘণ্টা</translation>
    </message>
    <message>
        <source>When a quota for a day counts as back.</source>
        <translation>যখন দৈনিক কোটা ফিরে এসেছে ধরা হয়।</translation>
    </message>
    <message>
        <source>Banned accounts</source>
        <translation>ব্যানড অ্যাকাউন্ট</translation>
    </message>
    <message>
        <source>one connection</source>
        <translation>একটি কানেকশন</translation>
    </message>
    <message>
        <source>an answer that says the account is banned, or three refused requests in a row</source>
        <translation>অ্যাকাউন্ট ব্যানড বলা উত্তর, অথবা পরপর তিনটি প্রত্যাখ্যাত রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>the connection is out until its key changes or you enable it anew</source>
        <translation>কী বদলানো বা আপনি নতুন করে চালু না করা পর্যন্ত কানেকশন বাইরে</translation>
    </message>
    <message>
        <source>Your own ban words</source>
        <translation>আপনার নিজের ব্যান-শব্দ</translation>
    </message>
    <message>
        <source>An answer with one of them, in any case and with any status, means that the account is banned.</source>
        <translation>এর কোনোটি থাকা উত্তর, ছোট-বড় হাতের অক্ষর ও স্ট্যাটাস নির্বিশেষে, মানে অ্যাকাউন্টটি ব্যানড।</translation>
    </message>
    <message>
        <source>Switch banned connections off</source>
        <translation>ব্যানড কানেকশন বন্ধ করুন</translation>
    </message>
    <message>
        <source>Then a new key alone does not bring them back; you enable them yourself.</source>
        <translation>তখন শুধু নতুন কী তাদের ফেরায় না; আপনি নিজে চালু করেন।</translation>
    </message>
    <message>
        <source>Which ones</source>
        <translation>কোনগুলো</translation>
    </message>
    <message>
        <source>Used while the switch above is on.</source>
        <translation>ওপরের সুইচ চালু থাকলে কাজে লাগে।</translation>
    </message>
    <message>
        <source>All connections</source>
        <translation>সব কানেকশন</translation>
    </message>
    <message>
        <source>Only OAuth sign-ins</source>
        <translation>শুধু OAuth সাইন-ইন</translation>
    </message>
    <message>
        <source>Tests count like requests</source>
        <translation>পরীক্ষাও রিকোয়েস্টের মতো গোনা হয়</translation>
    </message>
    <message>
        <source>A failed connection test may cool, expire or ban the connection. Off: it only notes the error.</source>
        <translation>ব্যর্থ কানেকশন পরীক্ষা কানেকশনকে বিশ্রামে পাঠাতে, মেয়াদোত্তীর্ণ বা ব্যান করতে পারে। বন্ধ: শুধু ত্রুটি লিখে রাখে।</translation>
    </message>
    <message>
        <source>Model lockout</source>
        <translation>মডেল লকআউট</translation>
    </message>
    <message>
        <source>Reset to defaults</source>
        <translation>ডিফল্টে ফেরান</translation>
    </message>
    <message>
        <source>Set all fields of model lockout back to their defaults</source>
        <translation>মডেল লকআউটের সব ঘর ডিফল্টে ফেরান</translation>
    </message>
    <message>
        <source>one model of one connection: its other models go on serving</source>
        <translation>এক কানেকশনের একটি মডেল: তার অন্য মডেল সেবা দিতে থাকে</translation>
    </message>
    <message>
        <source>answers with one of the statuses below</source>
        <translation>নিচের স্ট্যাটাসগুলোর কোনোটি থাকা উত্তর</translation>
    </message>
    <message>
        <source>the model is left out, longer with each failure in a row</source>
        <translation>মডেলটি বাদ থাকে, পরপর প্রতিটি ব্যর্থতায় আরও বেশি</translation>
    </message>
    <message>
        <source>Lock a model after any of these statuses</source>
        <translation>এই স্ট্যাটাসগুলোর যেকোনোটির পর মডেল লক করুন</translation>
    </message>
    <message>
        <source>Off: only answers that are themselves about one model lock it.</source>
        <translation>বন্ধ: কেবল যেসব উত্তর নিজেই একটি মডেল নিয়ে, সেগুলোই তাকে লক করে।</translation>
    </message>
    <message>
        <source>HTTP statuses</source>
        <translation>HTTP স্ট্যাটাস</translation>
    </message>
    <message>
        <source>A click on one removes it.</source>
        <translation>ক্লিক করলে সরে যায়।</translation>
    </message>
    <message>
        <source>First lock</source>
        <translation>প্রথম লক</translation>
    </message>
    <message>
        <source>Raised above the longest lock, it takes that up with it.</source>
        <translation>সর্বোচ্চ লকের ওপরে তুললে সেটিও সঙ্গে ওঠে।</translation>
    </message>
    <message>
        <source>Longest lock</source>
        <translation>সর্বোচ্চ লক</translation>
    </message>
    <message>
        <source>Also the longest rest of a connection&apos;s ladder. Only a wait that the provider itself states may be longer.</source>
        <translation>কানেকশনের ধাপে ধাপে বিশ্রামেরও সর্বোচ্চ। কেবল প্রোভাইডারের নিজের বলা অপেক্ষা এর চেয়ে দীর্ঘ হতে পারে।</translation>
    </message>
    <message>
        <source>Must be at least the first lock, %1 s now.</source>
        <translation>অন্তত প্রথম লকের সমান (এখন %1 সে.) হতে হবে।</translation>
    </message>
    <message>
        <source>Double with each failure in a row</source>
        <translation>পরপর প্রতিটি ব্যর্থতায় দ্বিগুণ</translation>
    </message>
    <message>
        <source>Off: each lock is as long as the first.</source>
        <translation>বন্ধ: প্রতিটি লক প্রথমটির সমান।</translation>
    </message>
    <message>
        <source>How often a lock is doubled at most.</source>
        <translation>লক সর্বোচ্চ কতবার দ্বিগুণ হবে।</translation>
    </message>
    <message>
        <source>Model lockout is back at its defaults.</source>
        <translation>মডেল লকআউট ডিফল্টে ফিরেছে।</translation>
    </message>
    <message>
        <source>Error rules</source>
        <translation>ত্রুটির নিয়ম</translation>
    </message>
    <message>
        <source>Your error rules</source>
        <translation>আপনার ত্রুটির নিয়ম</translation>
    </message>
    <message>
        <source>answers of one provider with one status and a text you name</source>
        <translation>একটি প্রোভাইডারের উত্তর, যাতে একটি স্ট্যাটাস ও আপনার বলা টেক্সট আছে</translation>
    </message>
    <message>
        <source>the first rule that fits, before the program&apos;s own; never an answer with 400, which is judged by what it says of the request</source>
        <translation>প্রোগ্রামের নিজের নিয়মের আগে, প্রথম যে নিয়ম মেলে; কখনো 400 নয়, সেটি রিকোয়েস্ট নিয়ে কী বলে তা দিয়ে বিচার হয়</translation>
    </message>
    <message>
        <source>what you say it means, and for how long</source>
        <translation>আপনি যে অর্থ বলেন, আর যতক্ষণ বলেন</translation>
    </message>
    <message>
        <source>Try an answer</source>
        <translation>একটি উত্তর পরখ করুন</translation>
    </message>
    <message>
        <source>Programs on this computer must send a client key. Off: any of them may use the proxy.</source>
        <translation>এই কম্পিউটারের প্রোগ্রামগুলোকে একটি ক্লায়েন্ট কী পাঠাতে হবে। বন্ধ থাকলে: যেকোনো প্রোগ্রাম প্রক্সি ব্যবহার করতে পারে।</translation>
    </message>
    <message>
        <source>Client keys…</source>
        <translation>ক্লায়েন্ট কী…</translation>
    </message>
    <message>
        <source>Backup and export</source>
        <translation>ব্যাকআপ ও এক্সপোর্ট</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>ব্যাকআপ</translation>
    </message>
    <message>
        <source>Export and import</source>
        <translation>এক্সপোর্ট ও ইমপোর্ট</translation>
    </message>
    <message>
        <source>Notifications of the desktop</source>
        <translation>ডেস্কটপের নোটিফিকেশন</translation>
    </message>
    <message>
        <source>When a connection goes out of service</source>
        <translation>কোনো কানেকশন সেবার বাইরে গেলে</translation>
    </message>
    <message>
        <source>When a connection needs you, or a provider is left out for longer. Rests of seconds are not told.</source>
        <translation>কোনো কানেকশনের আপনাকে দরকার হলে, কিংবা কোনো প্রোভাইডার বেশি সময়ের জন্য বাদ পড়লে। কয়েক সেকেন্ডের বিশ্রাম জানানো হয় না।</translation>
    </message>
    <message>
        <source>When a provider&apos;s breaker opens</source>
        <translation>কোনো প্রোভাইডারের ব্রেকার ওপেন হলে</translation>
    </message>
    <message>
        <source>Every connection of the provider is left out until a probe succeeds.</source>
        <translation>একটি যাচাই সফল না হওয়া পর্যন্ত প্রোভাইডারের সব কানেকশন বাদ থাকে।</translation>
    </message>
    <message>
        <source>When it serves again</source>
        <translation>আবার সেবা দিতে শুরু করলে</translation>
    </message>
    <message>
        <source>After it was out for longer. At most one notification in 30 seconds, whatever the kind.</source>
        <translation>বেশি সময় যা বাইরে ছিল তার জন্য। যে ধরনেরই হোক, 30 সেকেন্ডে বড়জোর একটি নোটিফিকেশন।</translation>
    </message>
</context>
<context>
    <name>omni::ShellStatus</name>
    <message>
        <source>Stopped</source>
        <translation>থেমে আছে</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>চালু হচ্ছে</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>সেবা দিচ্ছে</translation>
    </message>
    <message>
        <source>Not serving</source>
        <translation>সেবা দিচ্ছে না</translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <comment>who, state, time left</comment>
        <translation>%1 %2, %3</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>who, state</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Port %1 is taken by another program.</source>
        <translation>পোর্ট %1 অন্য একটি প্রোগ্রাম দখল করে আছে।</translation>
    </message>
    <message>
        <source>Port %1 is taken by %2 (process %3).</source>
        <translation>পোর্ট %1 দখল করে আছে %2 (প্রসেস %3)।</translation>
    </message>
    <message>
        <source>%1 models</source>
        <translation>%1টি মডেল</translation>
    </message>
</context>
<context>
    <name>omni::SnippetBox</name>
    <message>
        <source>Copy</source>
        <translation>কপি</translation>
    </message>
    <message>
        <source>Copy: %1</source>
        <translation>কপি: %1</translation>
    </message>
</context>
<context>
    <name>omni::Standing</name>
    <message>
        <source>The provider answered %1 at %2</source>
        <translation>প্রোভাইডার %2-এ উত্তর দিয়েছে %1</translation>
    </message>
    <message>
        <source>Its words: %1</source>
        <translation>তার কথায়: %1</translation>
    </message>
    <message>
        <source>Rule that matched: %1</source>
        <translation>যে নিয়ম মিলেছে: %1</translation>
    </message>
    <message>
        <source>So it rests for %1</source>
        <translation>তাই %1 বিশ্রাম</translation>
    </message>
    <message>
        <source>So it rests for %1, %2</source>
        <comment>how long, who said so</comment>
        <translation>তাই %1 বিশ্রাম, %2</translation>
    </message>
    <message>
        <source>Request %1</source>
        <translation>রিকোয়েস্ট %1</translation>
    </message>
</context>
<context>
    <name>omni::StatusStrip</name>
    <message>
        <source>Copy base URL</source>
        <translation>বেস URL কপি</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>মেনু</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>থামান</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>আবার চেষ্টা</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>চালু করুন</translation>
    </message>
    <message>
        <source>Stop the proxy</source>
        <translation>প্রক্সি থামান</translation>
    </message>
    <message>
        <source>Start the proxy</source>
        <translation>প্রক্সি চালু করুন</translation>
    </message>
    <message>
        <source>Use port %1</source>
        <translation>পোর্ট %1 ব্যবহার করুন</translation>
    </message>
    <message>
        <source>%1 requests/s</source>
        <translation>%1 রিকোয়েস্ট/সে.</translation>
    </message>
</context>
<context>
    <name>omni::TargetsModel</name>
    <message>
        <source>No.</source>
        <comment>place in the list of targets</comment>
        <translation>নং</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>সমস্যা</translation>
    </message>
</context>
<context>
    <name>omni::TestBox</name>
    <message>
        <source>Given up.</source>
        <translation>হাল ছাড়া হয়েছে।</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>টেস্ট</translation>
    </message>
    <message>
        <source>Test the connection</source>
        <translation>কানেকশন টেস্ট করুন</translation>
    </message>
    <message>
        <source>Sends one small request with what stands above.</source>
        <translation>উপরের তথ্য দিয়ে একটি ছোট রিকোয়েস্ট পাঠায়।</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Stop waiting for the test</source>
        <translation>টেস্টের অপেক্ষা থামান</translation>
    </message>
    <message>
        <source>%1 Testing… %2 s</source>
        <translation>%1 টেস্ট চলছে… %2 সে.</translation>
    </message>
    <message>
        <source>Test failed</source>
        <translation>টেস্ট ব্যর্থ</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Test passed</source>
        <translation>টেস্ট সফল</translation>
    </message>
    <message>
        <source>%1 after %2</source>
        <translation>%2 পর %1</translation>
    </message>
    <message>
        <source>Answered after %1</source>
        <translation>%1 পর উত্তর</translation>
    </message>
    <message>
        <source>%1 models: %2</source>
        <translation>%1টি মডেল: %2</translation>
    </message>
</context>
<context>
    <name>omni::TextRow</name>
    <message>
        <source>Choose…</source>
        <translation>বেছে নিন…</translation>
    </message>
    <message>
        <source>Choose a file for “%1”</source>
        <translation>“%1”-এর জন্য ফাইল বেছে নিন</translation>
    </message>
    <message>
        <source>“%1” is not an origin: write https://host or http://host:port, without a path.</source>
        <translation>“%1” কোনো অরিজিন নয়: পাথ ছাড়া https://host বা http://host:port লিখুন।</translation>
    </message>
    <message>
        <source>Give the full path of the file.</source>
        <translation>ফাইলের পূর্ণ পাথ দিন।</translation>
    </message>
    <message>
        <source>This file cannot be read.</source>
        <translation>এই ফাইল পড়া যাচ্ছে না।</translation>
    </message>
    <message>
        <source>There is no PEM certificate in this file.</source>
        <translation>এই ফাইলে কোনো PEM সার্টিফিকেট নেই।</translation>
    </message>
    <message>
        <source>Certificates (*.pem *.crt *.cer)</source>
        <translation>সার্টিফিকেট (*.pem *.crt *.cer)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>সব ফাইল (*)</translation>
    </message>
    <message>
        <source>There is no time zone of this name; one is “Asia/Dhaka”.</source>
        <translation>এই নামে কোনো সময় অঞ্চল নেই; একটি যেমন “Asia/Dhaka”।</translation>
    </message>
</context>
<context>
    <name>omni::ToggleRow</name>
    <message>
        <source>on</source>
        <translation>চালু</translation>
    </message>
    <message>
        <source>off</source>
        <translation>বন্ধ</translation>
    </message>
</context>
<context>
    <name>omni::TrafficFigures</name>
    <message>
        <source>%1 %</source>
        <comment>percent</comment>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>omni::TransferPanel</name>
    <message>
        <source>Export…</source>
        <translation>এক্সপোর্ট…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>ইমপোর্ট…</translation>
    </message>
    <message>
        <source>The configuration as one file, for another computer or to keep: without keys, or with all of them encrypted under a passphrase.</source>
        <translation>কনফিগারেশন একটি ফাইলে, অন্য কম্পিউটারের জন্য বা রেখে দিতে: কী ছাড়া, অথবা সব কী পাসফ্রেজে এনক্রিপ্ট করে।</translation>
    </message>
    <message>
        <source>Export the configuration</source>
        <translation>কনফিগারেশন এক্সপোর্ট</translation>
    </message>
    <message>
        <source>Import a configuration</source>
        <translation>কনফিগারেশন ইমপোর্ট</translation>
    </message>
    <message>
        <source>Configuration (*.json)</source>
        <translation>কনফিগারেশন (*.json)</translation>
    </message>
    <message>
        <source>The configuration was exported to %1.</source>
        <translation>কনফিগারেশন %1-এ এক্সপোর্ট হয়েছে।</translation>
    </message>
    <message>
        <source>Configuration (*.json);;All files (*)</source>
        <translation>কনফিগারেশন (*.json);;সব ফাইল (*)</translation>
    </message>
    <message>
        <source>%1 cannot be imported.</source>
        <translation>%1 ইমপোর্ট করা যায় না।</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>বন্ধ</translation>
    </message>
</context>
<context>
    <name>omni::Tray</name>
    <message>
        <source>OmniRoute: %1</source>
        <translation>OmniRoute: %1</translation>
    </message>
</context>
<context>
    <name>omni::TrayMenu</name>
    <message>
        <source>Open OmniRoute</source>
        <translation>OmniRoute খুলুন</translation>
    </message>
    <message>
        <source>Copy base URL</source>
        <translation>বেস URL কপি</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>প্রস্থান</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>লগইনে চালু</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>থেমে আছে</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>চালু হচ্ছে</translation>
    </message>
    <message>
        <source>Serving on %1</source>
        <translation>%1-এ সেবা দিচ্ছে</translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln out of service</source>
        <translation>
            <numerusform>%1, %Lnটি সেবার বাইরে</numerusform>
            <numerusform>%1, %Lnটি সেবার বাইরে</numerusform>
        </translation>
    </message>
    <message>
        <source>Use port %1</source>
        <translation>পোর্ট %1 ব্যবহার করুন</translation>
    </message>
    <message>
        <source>Stop the proxy</source>
        <translation>প্রক্সি থামান</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>আবার চেষ্টা</translation>
    </message>
    <message>
        <source>Start the proxy</source>
        <translation>প্রক্সি চালু করুন</translation>
    </message>
    <message>
        <source>Nothing is out of service</source>
        <translation>কিছুই সেবার বাইরে নেই</translation>
    </message>
    <message numerus="yes">
        <source>Out of service (%Ln)</source>
        <translation>
            <numerusform>সেবার বাইরে (%Ln)</numerusform>
            <numerusform>সেবার বাইরে (%Ln)</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear all</source>
        <translation>সব তুলুন</translation>
    </message>
    <message>
        <source>%1: %2 until %3</source>
        <comment>who, state, time</comment>
        <translation>%1: %3 পর্যন্ত %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>who, state</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Clear now</source>
        <translation>এখনই তুলুন</translation>
    </message>
    <message>
        <source>Show the connection</source>
        <translation>কানেকশন দেখান</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more in the window</source>
        <translation>
            <numerusform>উইন্ডোতে আরও %Lnটি</numerusform>
            <numerusform>উইন্ডোতে আরও %Lnটি</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>omni::TroublesLine</name>
    <message numerus="yes">
        <source>+%Ln more</source>
        <translation>
            <numerusform>আরও %Lnটি</numerusform>
            <numerusform>আরও %Lnটি</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>omni::UsageBars</name>
    <message>
        <source>Requests</source>
        <translation>রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>ত্রুটি</translation>
    </message>
    <message>
        <source>without error</source>
        <translation>ত্রুটিহীন</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>টোকেন</translation>
    </message>
    <message>
        <source>out</source>
        <comment>tokens</comment>
        <translation>আউট</translation>
    </message>
    <message>
        <source>in</source>
        <comment>tokens</comment>
        <translation>ইন</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>ত্রুটি</translation>
    </message>
    <message>
        <source>Estimated cost</source>
        <translation>আনুমানিক খরচ</translation>
    </message>
    <message>
        <source>estimated cost</source>
        <translation>আনুমানিক খরচ</translation>
    </message>
</context>
<context>
    <name>omni::UsageExport</name>
    <message>
        <source>%1 cannot be written: %2. Choose another place.</source>
        <translation>%1 লেখা যাচ্ছে না: %2। অন্য জায়গা বেছে নিন।</translation>
    </message>
</context>
<context>
    <name>omni::UsageModel</name>
    <message>
        <source>Total</source>
        <translation>মোট</translation>
    </message>
    <message>
        <source>Without a price, and not in the sum: %1</source>
        <translation>দাম নেই, তাই যোগফলে নেই: %1</translation>
    </message>
    <message>
        <source>One answer came without token counts and is not in here.</source>
        <translation>একটি উত্তরে টোকেনের হিসাব ছিল না, সেটি এখানে নেই।</translation>
    </message>
    <message>
        <source>%1 answers came without token counts and are not in here.</source>
        <translation>%1টি উত্তরে টোকেনের হিসাব ছিল না, সেগুলো এখানে নেই।</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>দিন</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>প্রোভাইডার</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>কানেকশন</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>মডেল</translation>
    </message>
    <message>
        <source>Client key</source>
        <translation>ক্লায়েন্ট কী</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>ত্রুটি</translation>
    </message>
    <message>
        <source>Error rate</source>
        <translation>ত্রুটির হার</translation>
    </message>
    <message>
        <source>Tokens in</source>
        <translation>ইনপুট টোকেন</translation>
    </message>
    <message>
        <source>of them cached</source>
        <translation>তার ক্যাশ করা</translation>
    </message>
    <message>
        <source>Tokens out</source>
        <translation>আউটপুট টোকেন</translation>
    </message>
    <message>
        <source>Est. cost</source>
        <translation>আনু. খরচ</translation>
    </message>
</context>
<context>
    <name>omni::UsagePage</name>
    <message>
        <source>no errors</source>
        <translation>ত্রুটি নেই</translation>
    </message>
    <message>
        <source>%1 errors, %2</source>
        <translation>%1টি ত্রুটি, %2</translation>
    </message>
    <message>
        <source>%1 of them cached</source>
        <translation>তার %1 ক্যাশ করা</translation>
    </message>
    <message>
        <source>all answers counted</source>
        <translation>সব উত্তর গোনা হয়েছে</translation>
    </message>
    <message>
        <source>one answer without counts</source>
        <translation>একটি উত্তরে হিসাব নেই</translation>
    </message>
    <message>
        <source>%1 answers without counts</source>
        <translation>%1টি উত্তরে হিসাব নেই</translation>
    </message>
    <message>
        <source>from the prices you entered</source>
        <translation>আপনার দেওয়া দাম থেকে</translation>
    </message>
    <message>
        <source>one model has no price</source>
        <translation>একটি মডেলের দাম নেই</translation>
    </message>
    <message>
        <source>%1 models have no price</source>
        <translation>%1টি মডেলের দাম নেই</translation>
    </message>
    <message>
        <source>The usage cannot be read: %1</source>
        <translation>ব্যবহারের হিসাব পড়া যাচ্ছে না: %1</translation>
    </message>
    <message>
        <source>Reading the usage…</source>
        <translation>ব্যবহারের হিসাব পড়া হচ্ছে…</translation>
    </message>
    <message>
        <source>Kept when old requests leave the log. Days are those of this computer.</source>
        <translation>পুরোনো রিকোয়েস্ট লগ থেকে মুছে গেলেও এই হিসাব থাকে। দিনগুলো এই কম্পিউটারের সময় অনুযায়ী।</translation>
    </message>
    <message>
        <source>Nothing matches the filter.</source>
        <translation>ফিল্টারের সঙ্গে কিছুই মেলে না।</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>সব দেখান</translation>
    </message>
    <message>
        <source>No requests in this time.</source>
        <translation>এই সময়ে কোনো রিকোয়েস্ট নেই।</translation>
    </message>
    <message>
        <source>Show all time</source>
        <translation>সব সময়ের দেখান</translation>
    </message>
    <message>
        <source>No requests yet. Point a client at %1 and ask it something.</source>
        <translation>এখনো কোনো রিকোয়েস্ট নেই। কোনো ক্লায়েন্টকে %1-এ যুক্ত করে কিছু জিজ্ঞেস করুন।</translation>
    </message>
    <message>
        <source>Copy base URL</source>
        <translation>বেস URL কপি</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>টেক্সট হিসেবে কপি</translation>
    </message>
    <message>
        <source>Set the price…</source>
        <translation>দাম দিন…</translation>
    </message>
    <message>
        <source>Open the connection</source>
        <translation>কানেকশন খুলুন</translation>
    </message>
    <message>
        <source>Show its requests</source>
        <translation>এর রিকোয়েস্ট দেখান</translation>
    </message>
    <message>
        <source>Open the key</source>
        <translation>কী খুলুন</translation>
    </message>
    <message>
        <source>Export the usage</source>
        <translation>ব্যবহারের হিসাব এক্সপোর্ট</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>কমা-বিভক্ত মান (*.csv)</translation>
    </message>
    <message>
        <source>Wrote %1 lines to %2.</source>
        <translation>%2-এ %1টি লাইন লেখা হয়েছে।</translation>
    </message>
    <message>
        <source>Forget all usage figures?</source>
        <translation>ব্যবহারের সব হিসাব মুছবেন?</translation>
    </message>
    <message>
        <source>The sums of every day are deleted, and this cannot be undone. The request log, prices and keys stay.</source>
        <translation>প্রতিদিনের যোগফল মুছে যাবে, আর ফেরানো যাবে না। রিকোয়েস্ট লগ, দাম ও কী থাকবে।</translation>
    </message>
    <message>
        <source>Forget them</source>
        <translation>মুছে ফেলুন</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>The usage figures are counted anew from now on.</source>
        <translation>ব্যবহারের হিসাব এখন থেকে নতুন করে শুরু হলো।</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>ব্যবহার</translation>
    </message>
    <message>
        <source>Time shown</source>
        <translation>যে সময় দেখানো হচ্ছে</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>আজ</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>গত ৭ দিন</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>গত ৩০ দিন</translation>
    </message>
    <message>
        <source>Last 90 days</source>
        <translation>গত ৯০ দিন</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>সব সময়</translation>
    </message>
    <message>
        <source>&amp;Prices…</source>
        <translation>দাম…</translation>
    </message>
    <message>
        <source>Prices of models</source>
        <translation>মডেলের দাম</translation>
    </message>
    <message>
        <source>&amp;Export CSV…</source>
        <translation>CSV &amp;এক্সপোর্ট…</translation>
    </message>
    <message>
        <source>Export the usage of this time as a CSV file</source>
        <translation>এই সময়ের ব্যবহার CSV ফাইলে এক্সপোর্ট করুন</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>আরও কাজ</translation>
    </message>
    <message>
        <source>Forget all usage figures…</source>
        <translation>ব্যবহারের সব হিসাব মুছুন…</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>Tokens in</source>
        <translation>ইনপুট টোকেন</translation>
    </message>
    <message>
        <source>Tokens out</source>
        <translation>আউটপুট টোকেন</translation>
    </message>
    <message>
        <source>Estimated cost</source>
        <translation>আনুমানিক খরচ</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>সময়ের সঙ্গে</translation>
    </message>
    <message>
        <source>What the bars show</source>
        <translation>স্তম্ভগুলো যা দেখায়</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>টোকেন</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>ত্রুটি</translation>
    </message>
    <message>
        <source>In detail</source>
        <translation>বিস্তারিত</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>ফিল্টার</translation>
    </message>
    <message>
        <source>Filter the usage</source>
        <translation>ব্যবহার ফিল্টার করুন</translation>
    </message>
    <message>
        <source>Rows by</source>
        <translation>যে ভাগে সারি</translation>
    </message>
    <message>
        <source>By day</source>
        <translation>দিন অনুযায়ী</translation>
    </message>
    <message>
        <source>By provider</source>
        <translation>প্রোভাইডার অনুযায়ী</translation>
    </message>
    <message>
        <source>By connection</source>
        <translation>কানেকশন অনুযায়ী</translation>
    </message>
    <message>
        <source>By model</source>
        <translation>মডেল অনুযায়ী</translation>
    </message>
    <message>
        <source>By client key</source>
        <translation>ক্লায়েন্ট কী অনুযায়ী</translation>
    </message>
</context>
<context>
    <name>omni::UsageRows</name>
    <message>
        <source>no connection</source>
        <translation>কোনো কানেকশন নেই</translation>
    </message>
    <message>
        <source>no key</source>
        <translation>কী নেই</translation>
    </message>
    <message>
        <source>no provider</source>
        <translation>প্রোভাইডার নেই</translation>
    </message>
    <message>
        <source>no model</source>
        <translation>মডেল নেই</translation>
    </message>
    <message>
        <source>no price</source>
        <translation>দাম নেই</translation>
    </message>
    <message>
        <source>&lt; %1 %</source>
        <translation>&lt; %1 %</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>omni::Welcome</name>
    <message>
        <source>Welcome</source>
        <translation>স্বাগতম</translation>
    </message>
</context>
<context>
    <name>omni::WelcomePage</name>
    <message>
        <source>&amp;Next</source>
        <translation>পরের ধাপ (&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>শেষ (&amp;D)</translation>
    </message>
    <message>
        <source>It arrived: %1. %2</source>
        <translation>এসেছে: %1। %2</translation>
    </message>
    <message>
        <source>Welcome to OmniRoute</source>
        <translation>OmniRoute-এ স্বাগতম</translation>
    </message>
    <message>
        <source>Three steps, and your programs are answered here.</source>
        <translation>তিনটি ধাপ, তারপর আপনার প্রোগ্রাম উত্তর পাবে এখান থেকেই।</translation>
    </message>
    <message>
        <source>&amp;Skip this</source>
        <translation>এটি বাদ দিন (&amp;S)</translation>
    </message>
    <message>
        <source>1. Where answers come from</source>
        <translation>1. উত্তর আসে কোথা থেকে</translation>
    </message>
    <message>
        <source>2. Point a program here</source>
        <translation>2. একটি প্রোগ্রাম এখানে আনুন</translation>
    </message>
    <message>
        <source>3. See it arrive</source>
        <translation>3. আসতে দেখুন</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>আগের ধাপ (&amp;B)</translation>
    </message>
    <message>
        <source>Add what you have</source>
        <translation>আপনার যা আছে যোগ করুন</translation>
    </message>
    <message>
        <source>Pick a provider and paste its key; it is tested at once. Add as many as you like: when one fails, the others answer.</source>
        <translation>প্রোভাইডার বেছে তার কী পেস্ট করুন; সঙ্গে সঙ্গে পরীক্ষা করা হয়। যত খুশি যোগ করুন: একটি ব্যর্থ হলে অন্যগুলো উত্তর দেয়।</translation>
    </message>
    <message>
        <source>Or look around first</source>
        <translation>অথবা আগে ঘুরে দেখুন</translation>
    </message>
    <message>
        <source>&amp;Use the sandbox for now</source>
        <translation>আপাতত স্যান্ডবক্স ব্যবহার করুন (&amp;U)</translation>
    </message>
    <message>
        <source>The sandbox is an upstream inside this program. It needs no key, costs nothing, and can do everything that goes wrong.</source>
        <translation>স্যান্ডবক্স এই প্রোগ্রামের ভেতরেই একটি আপস্ট্রিম। এর কী লাগে না, খরচ নেই, আর যা যা বিগড়ায় তার সবই করতে পারে।</translation>
    </message>
    <message>
        <source>&amp;Another…</source>
        <translation>অন্য… (&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Program</source>
        <translation>প্রোগ্রাম (&amp;P)</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>প্রোগ্রাম</translation>
    </message>
    <message>
        <source>The first request</source>
        <translation>প্রথম অনুরোধ</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>অপেক্ষায়</translation>
    </message>
    <message>
        <source>Waiting for it: ask your program something. It shows here as soon as it was answered.</source>
        <translation>অপেক্ষা চলছে: আপনার প্রোগ্রামকে কিছু জিজ্ঞেস করুন। উত্তর পেলেই এখানে দেখা যাবে।</translation>
    </message>
    <message>
        <source>Send &amp;one for me</source>
        <translation>আমার হয়ে একটি পাঠান (&amp;O)</translation>
    </message>
    <message>
        <source>One request to the sandbox, the way any program would ask.</source>
        <translation>স্যান্ডবক্সে একটি অনুরোধ, যেকোনো প্রোগ্রাম যেভাবে চায়।</translation>
    </message>
    <message>
        <source>Show &amp;it</source>
        <translation>দেখান (&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Import keys that lie on this computer…</source>
        <translation>এই কম্পিউটারে থাকা কী &amp;ইমপোর্ট করুন…</translation>
    </message>
</context>
<context>
    <name>omni::WhyDialog</name>
    <message>
        <source>Why?</source>
        <translation>কেন?</translation>
    </message>
    <message>
        <source>What is known</source>
        <translation>যা জানা আছে</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>কপি</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>বন্ধ করুন</translation>
    </message>
</context>
<context>
    <name>omni::WindowActions</name>
    <message>
        <source>Copied: %1</source>
        <translation>কপি হয়েছে: %1</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>মেনু</translation>
    </message>
    <message>
        <source>Find a command…</source>
        <translation>কমান্ড খুঁজুন…</translation>
    </message>
    <message>
        <source>Copy base URL</source>
        <translation>বেস URL কপি</translation>
    </message>
    <message>
        <source>Clear all cooldowns now</source>
        <translation>সব কুলডাউন এখনই তুলে নিন</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>থিম</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>সিস্টেম অনুযায়ী</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>হালকা</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>গাঢ়</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>ভাষা</translation>
    </message>
    <message>
        <source>Open the data folder</source>
        <translation>ডেটা ফোল্ডার খুলুন</translation>
    </message>
    <message>
        <source>About OmniRoute Desktop</source>
        <translation>OmniRoute Desktop সম্পর্কে</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>প্রস্থান</translation>
    </message>
    <message>
        <source>Stop the proxy</source>
        <translation>প্রক্সি থামান</translation>
    </message>
    <message>
        <source>Start the proxy</source>
        <translation>প্রক্সি চালু করুন</translation>
    </message>
    <message>
        <source>Nothing had to be cleared.</source>
        <translation>তুলে নেওয়ার মতো কিছু ছিল না।</translation>
    </message>
    <message>
        <source>One hold was cleared.</source>
        <translation>একটি হোল্ড তুলে নেওয়া হয়েছে।</translation>
    </message>
    <message>
        <source>%1 holds were cleared.</source>
        <translation>%1টি হোল্ড তুলে নেওয়া হয়েছে।</translation>
    </message>
</context>
<context>
    <name>omni::WindowCommands</name>
    <message>
        <source>%1: %2</source>
        <comment>Theme: dark</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, this page</source>
        <comment>page</comment>
        <translation>%1, এই পাতা</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>পাতা</translation>
    </message>
</context>
<context>
    <name>omni::Words</name>
    <message>
        <source>just now</source>
        <translation>এইমাত্র</translation>
    </message>
    <message>
        <source>a minute ago</source>
        <translation>এক মিনিট আগে</translation>
    </message>
    <message>
        <source>%1 minutes ago</source>
        <translation>%1 মিনিট আগে</translation>
    </message>
    <message>
        <source>an hour ago</source>
        <translation>এক ঘণ্টা আগে</translation>
    </message>
    <message>
        <source>%1 hours ago</source>
        <translation>%1 ঘণ্টা আগে</translation>
    </message>
    <message>
        <source>a day ago</source>
        <translation>এক দিন আগে</translation>
    </message>
    <message>
        <source>%1 days ago</source>
        <translation>%1 দিন আগে</translation>
    </message>
    <message>
        <source>unknown failure</source>
        <translation>অজানা ব্যর্থতা</translation>
    </message>
    <message>
        <source>quota used up</source>
        <translation>কোটা শেষ</translation>
    </message>
    <message>
        <source>rate limit</source>
        <translation>রেট লিমিট</translation>
    </message>
    <message>
        <source>model at capacity</source>
        <translation>মডেলের ধারণক্ষমতা পূর্ণ</translation>
    </message>
    <message>
        <source>server error</source>
        <translation>সার্ভার ত্রুটি</translation>
    </message>
    <message>
        <source>key refused</source>
        <translation>কী প্রত্যাখ্যাত</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>পাওয়া যায়নি</translation>
    </message>
    <message>
        <source>service not running</source>
        <translation>সার্ভিস চলছে না</translation>
    </message>
    <message>
        <source>too many at once</source>
        <translation>একসাথে অনেক বেশি</translation>
    </message>
    <message>
        <source>overloaded</source>
        <translation>অতিরিক্ত চাপ</translation>
    </message>
    <message>
        <source>request refused</source>
        <translation>রিকোয়েস্ট প্রত্যাখ্যাত</translation>
    </message>
    <message>
        <source>connection failed</source>
        <translation>সংযোগ ব্যর্থ</translation>
    </message>
    <message>
        <source>asked for in a header</source>
        <translation>হেডারে চাওয়া</translation>
    </message>
    <message>
        <source>asked for in the answer</source>
        <translation>উত্তরে চাওয়া</translation>
    </message>
    <message>
        <source>from our own ladder</source>
        <translation>আমাদের নিজস্ব ধাপ থেকে</translation>
    </message>
    <message>
        <source>set by a rule</source>
        <translation>নিয়মে নির্ধারিত</translation>
    </message>
    <message>
        <source>set by hand</source>
        <translation>হাতে নির্ধারিত</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>উত্তর নেই</translation>
    </message>
    <message>
        <source>turned away by the provider</source>
        <translation>প্রোভাইডার ফিরিয়ে দিয়েছে</translation>
    </message>
    <message>
        <source>forbidden for this key</source>
        <translation>এই কী-এর জন্য নিষেধ</translation>
    </message>
    <message>
        <source>out of credit</source>
        <translation>ক্রেডিট শেষ</translation>
    </message>
</context>
<context>
    <name>omni::core</name>
    <message>
        <source>A combo has this name.</source>
        <translation>এই নামে একটি কম্বো আছে।</translation>
    </message>
    <message>
        <source>A model is needed.</source>
        <translation>একটি মডেল দরকার।</translation>
    </message>
    <message>
        <source>A name is needed.</source>
        <translation>একটি নাম দরকার।</translation>
    </message>
    <message>
        <source>An IPv6 address must stand in brackets, like http://[::1]:8080.</source>
        <translation>IPv6 ঠিকানা বন্ধনীর মধ্যে লিখতে হবে, যেমন http://[::1]:8080।</translation>
    </message>
    <message>
        <source>Another connection of this provider has this name.</source>
        <translation>এই প্রোভাইডারের আরেকটি কানেকশনের এই নাম আছে।</translation>
    </message>
    <message>
        <source>Another endpoint has this name.</source>
        <translation>আরেকটি এন্ডপয়েন্টের এই নাম আছে।</translation>
    </message>
    <message>
        <source>Another key has this name.</source>
        <translation>আরেকটি কী-এর এই নাম আছে।</translation>
    </message>
    <message>
        <source>At most 100 characters on one line.</source>
        <translation>এক লাইনে সর্বোচ্চ ১০০ অক্ষর।</translation>
    </message>
    <message>
        <source>At most 100 characters.</source>
        <translation>সর্বোচ্চ ১০০ অক্ষর।</translation>
    </message>
    <message>
        <source>At most 300 characters.</source>
        <translation>সর্বোচ্চ ৩০০ অক্ষর।</translation>
    </message>
    <message>
        <source>Choose a provider.</source>
        <translation>একটি প্রোভাইডার বেছে নিন।</translation>
    </message>
    <message>
        <source>Line breaks and control characters are not allowed.</source>
        <translation>লাইন-ব্রেক ও কন্ট্রোল অক্ষর চলবে না।</translation>
    </message>
    <message>
        <source>No complete answer within 10 seconds.</source>
        <translation>১০ সেকেন্ডের মধ্যে পূর্ণ উত্তর আসেনি।</translation>
    </message>
    <message>
        <source>The address has no readable scheme; begin it with https:// or http://.</source>
        <translation>ঠিকানার স্কিম পড়া যাচ্ছে না; https:// বা http:// দিয়ে শুরু করুন।</translation>
    </message>
    <message>
        <source>The address has no scheme; begin it with https:// or http://.</source>
        <translation>ঠিকানায় স্কিম নেই; https:// বা http:// দিয়ে শুরু করুন।</translation>
    </message>
    <message>
        <source>The address holds a blank or a control character.</source>
        <translation>ঠিকানায় ফাঁকা বা কন্ট্রোল অক্ষর আছে।</translation>
    </message>
    <message>
        <source>The address is empty.</source>
        <translation>ঠিকানা খালি।</translation>
    </message>
    <message>
        <source>The address is longer than 2048 characters.</source>
        <translation>ঠিকানা ২০৪৮ অক্ষরের চেয়ে বড়।</translation>
    </message>
    <message>
        <source>The address names no host.</source>
        <translation>ঠিকানায় কোনো হোস্ট নেই।</translation>
    </message>
    <message>
        <source>The bracket around the IPv6 address is not closed.</source>
        <translation>IPv6 ঠিকানার বন্ধনী বন্ধ হয়নি।</translation>
    </message>
    <message>
        <source>The host looks like an IP address and is none; write it as four numbers, like 192.168.1.20.</source>
        <translation>হোস্টটি IP ঠিকানার মতো দেখতে কিন্তু তা নয়; চারটি সংখ্যায় লিখুন, যেমন 192.168.1.20।</translation>
    </message>
    <message>
        <source>The host name has an empty or overlong part.</source>
        <translation>হোস্ট নামের কোনো অংশ খালি বা অতিরিক্ত বড়।</translation>
    </message>
    <message>
        <source>The host name is longer than 253 characters.</source>
        <translation>হোস্ট নাম ২৫৩ অক্ষরের চেয়ে বড়।</translation>
    </message>
    <message>
        <source>The port after the host must be a number from 1 to 65535.</source>
        <translation>হোস্টের পরের পোর্ট 1 থেকে 65535-এর মধ্যে একটি সংখ্যা হতে হবে।</translation>
    </message>
    <message>
        <source>The settings cannot be used</source>
        <translation>সেটিংস ব্যবহার করা যাচ্ছে না</translation>
    </message>
    <message>
        <source>This connection belongs to another provider.</source>
        <translation>এই কানেকশনটি অন্য প্রোভাইডারের।</translation>
    </message>
    <message>
        <source>This connection does not exist.</source>
        <translation>এই কানেকশনটি নেই।</translation>
    </message>
    <message>
        <source>This provider needs a base URL.</source>
        <translation>এই প্রোভাইডারের বেস URL দরকার।</translation>
    </message>
    <message>
        <source>This provider offers nothing that can be tested.</source>
        <translation>এই প্রোভাইডারে টেস্ট করার মতো কিছু নেই।</translation>
    </message>
    <message>
        <source>This upstream has no model list. Name a default model to test it with.</source>
        <translation>এই আপস্ট্রিমের মডেল তালিকা নেই। টেস্টের জন্য একটি ডিফল্ট মডেলের নাম দিন।</translation>
    </message>
    <message>
        <source>What stands in brackets is not an IPv6 address.</source>
        <translation>বন্ধনীর ভেতরেরটি IPv6 ঠিকানা নয়।</translation>
    </message>
    <message>
        <source>retried on a fresh connection</source>
        <translation>নতুন সংযোগে আবার চেষ্টা</translation>
    </message>
    <message>
        <source>passed on</source>
        <translation>যেমন এসেছে তেমন পাঠানো</translation>
    </message>
    <message>
        <source>next target</source>
        <translation>পরের টার্গেট</translation>
    </message>
    <message>
        <source>no target left</source>
        <translation>আর টার্গেট নেই</translation>
    </message>
    <message>
        <source>told as an error: the answer had begun</source>
        <translation>ত্রুটি হিসেবে জানানো: উত্তর শুরু হয়ে গিয়েছিল</translation>
    </message>
    <message>
        <source>cancelled: the client left</source>
        <translation>বাতিল: ক্লায়েন্ট চলে গেছে</translation>
    </message>
    <message>
        <source>A prefix is needed: clients write it before the model, as in &quot;prefix/model&quot;.</source>
        <translation>একটি প্রিফিক্স দরকার: ক্লায়েন্টরা মডেলের আগে এটি লেখে, যেমন &quot;prefix/model&quot;।</translation>
    </message>
    <message>
        <source>A base URL is needed, such as &quot;https://host/v1&quot;.</source>
        <translation>একটি বেস URL দরকার, যেমন &quot;https://host/v1&quot;।</translation>
    </message>
    <message>
        <source>%1 needs an API key.</source>
        <translation>%1-এর একটি API কী দরকার।</translation>
    </message>
    <message>
        <source>There is no provider &quot;%1&quot;.</source>
        <translation>&quot;%1&quot; নামে কোনো প্রোভাইডার নেই।</translation>
    </message>
    <message>
        <source>This prefix belongs to %1.</source>
        <translation>এই প্রিফিক্সটি %1-এর।</translation>
    </message>
    <message>
        <source>The endpoint &quot;%1&quot; has this prefix already.</source>
        <translation>&quot;%1&quot; এন্ডপয়েন্টের এই প্রিফিক্স আগে থেকেই আছে।</translation>
    </message>
    <message>
        <source>The endpoint &quot;%1&quot; is used by %2. Remove these connections first.</source>
        <translation>&quot;%1&quot; এন্ডপয়েন্টটি %2 ব্যবহার করছে। আগে এই কানেকশনগুলো সরান।</translation>
    </message>
    <message>
        <source>The base URL begins with %1://; only https:// and http:// can be used.</source>
        <translation>বেস URL %1:// দিয়ে শুরু; শুধু https:// ও http:// ব্যবহার করা যায়।</translation>
    </message>
    <message>
        <source>The base URL holds a credential (&quot;%1=…&quot;); enter it in the key field instead.</source>
        <translation>বেস URL-এ একটি গোপন মান আছে (&quot;%1=…&quot;); সেটি বরং কী-এর ঘরে দিন।</translation>
    </message>
    <message>
        <source>The base URL cannot be used: %1</source>
        <translation>বেস URL ব্যবহার করা যাচ্ছে না: %1</translation>
    </message>
    <message>
        <source>The proxy&apos;s address cannot be used: %1</source>
        <translation>প্রক্সির ঠিকানা ব্যবহার করা যাচ্ছে না: %1</translation>
    </message>
    <message>
        <source>The proxy&apos;s address names no port; write it like %1:8080.</source>
        <translation>প্রক্সির ঠিকানায় পোর্ট নেই; এভাবে লিখুন: %1:8080।</translation>
    </message>
    <message>
        <source>A proxy begins with http://, https:// or socks5h://, not %1://.</source>
        <translation>প্রক্সি http://, https:// বা socks5h:// দিয়ে শুরু হয়, %1:// দিয়ে নয়।</translation>
    </message>
    <message>
        <source>The host name holds &quot;%1&quot;, which no host name can.</source>
        <translation>হোস্ট নামে &quot;%1&quot; আছে, যা কোনো হোস্ট নামে থাকতে পারে না।</translation>
    </message>
    <message>
        <source>The key of &quot;%1&quot; holds a blank, a line break or a letter no key has; enter it again.</source>
        <translation>&quot;%1&quot;-এর কী-তে ফাঁকা, লাইন-ব্রেক বা এমন অক্ষর আছে যা কোনো কী-তে থাকে না; আবার দিন।</translation>
    </message>
    <message>
        <source>The key of &quot;%1&quot; cannot be read: %2</source>
        <translation>&quot;%1&quot;-এর কী পড়া যাচ্ছে না: %2</translation>
    </message>
    <message>
        <source>The key could not be kept: %1</source>
        <translation>কী রাখা যায়নি: %1</translation>
    </message>
    <message>
        <source>%1 has no list of models.</source>
        <translation>%1-এর মডেলের তালিকা নেই।</translation>
    </message>
    <message>
        <source>%1 lists its models at its own address, which this connection does not use.</source>
        <translation>%1 তার মডেলের তালিকা নিজের ঠিকানায় রাখে, যা এই কানেকশন ব্যবহার করে না।</translation>
    </message>
    <message>
        <source>Every target for &quot;%1&quot; is resting:%2</source>
        <translation>&quot;%1&quot;-এর প্রতিটি টার্গেট বিশ্রামে:%2</translation>
    </message>
    <message>
        <source>No connection offers &quot;%1&quot;.</source>
        <translation>কোনো কানেকশনে &quot;%1&quot; নেই।</translation>
    </message>
    <message>
        <source>No target for &quot;%1&quot; can be used:%2</source>
        <translation>&quot;%1&quot;-এর কোনো টার্গেট ব্যবহার করা যাচ্ছে না:%2</translation>
    </message>
    <message>
        <source>1 target for &quot;%1&quot; failed:%2</source>
        <translation>&quot;%1&quot;-এর ১টি টার্গেট ব্যর্থ:%2</translation>
    </message>
    <message>
        <source>%1 targets for &quot;%2&quot; failed:%3</source>
        <translation>&quot;%2&quot;-এর %1টি টার্গেট ব্যর্থ:%3</translation>
    </message>
    <message>
        <source>The upstream&apos;s answer broke off: %1</source>
        <translation>আপস্ট্রিমের উত্তর মাঝপথে ছিন্ন হয়েছে: %1</translation>
    </message>
    <message>
        <source>The upstream answered HTTP %1 without a body.</source>
        <translation>আপস্ট্রিম বডি ছাড়া HTTP %1 উত্তর দিয়েছে।</translation>
    </message>
    <message>
        <source>The upstream answered with %1 instead of JSON.</source>
        <translation>আপস্ট্রিম JSON-এর বদলে %1 উত্তর দিয়েছে।</translation>
    </message>
    <message>
        <source>The stream began, but nothing meaningful came within %1 ms.</source>
        <translation>স্ট্রিম শুরু হয়েছে, কিন্তু %1 ms-এর মধ্যে অর্থপূর্ণ কিছু আসেনি।</translation>
    </message>
    <message>
        <source>%1 has no connection yet. Add one on the page Connections.</source>
        <translation>%1-এর এখনো কোনো কানেকশন নেই। কানেকশন পাতায় একটি যোগ করুন।</translation>
    </message>
    <message>
        <source>No model, alias or combo is called &quot;%1&quot;.%2</source>
        <translation>&quot;%1&quot; নামে কোনো মডেল, অ্যালিয়াস বা কম্বো নেই।%2</translation>
    </message>
    <message>
        <source>%1 was banned by its provider and is switched off.</source>
        <translation>%1-কে তার প্রোভাইডার নিষিদ্ধ করেছে, তাই এটি বন্ধ করা হয়েছে।</translation>
    </message>
    <message>
        <source>the upstream asked for %1 s</source>
        <translation>আপস্ট্রিম %1 সেকেন্ড চেয়েছে</translation>
    </message>
    <message>
        <source>%1, not beyond the reset of the window</source>
        <translation>%1, উইন্ডোর রিসেট পর্যন্তই</translation>
    </message>
    <message>
        <source>step %1 of the ladder</source>
        <translation>ধাপক্রমের %1 নম্বর ধাপ</translation>
    </message>
    <message>
        <source>%1 (the answer says your ban word “%2”)</source>
        <translation>%1 (উত্তরে আপনার নিষেধ-শব্দ “%2” আছে)</translation>
    </message>
    <message>
        <source>%1 (the answer says “%2”)</source>
        <translation>%1 (উত্তরে লেখা “%2”)</translation>
    </message>
    <message>
        <source>%1, by what was counted here</source>
        <translation>%1, এখানকার গণনা অনুযায়ী</translation>
    </message>
    <message>
        <source>your own error rule “%1”</source>
        <translation>আপনার নিজের ত্রুটি-নিয়ম “%1”</translation>
    </message>
    <message>
        <source>the rule %1</source>
        <translation>নিয়ম %1</translation>
    </message>
    <message>
        <source>HTTP %1 restated (%2)</source>
        <translation>HTTP %1 নতুন করে ধরা হয়েছে (%2)</translation>
    </message>
    <message>
        <source>%1 until someone acts</source>
        <translation>%1, কেউ ব্যবস্থা না নেওয়া পর্যন্ত</translation>
    </message>
    <message>
        <source>the key was refused in each of %1 retries</source>
        <translation>%1টি পুনঃচেষ্টার প্রতিটিতেই কী প্রত্যাখ্যাত হয়েছে</translation>
    </message>
    <message>
        <source>the key was refused (HTTP %1: %2)</source>
        <translation>কী প্রত্যাখ্যাত হয়েছে (HTTP %1: %2)</translation>
    </message>
    <message>
        <source>the key was refused (%1)</source>
        <translation>কী প্রত্যাখ্যাত হয়েছে (%1)</translation>
    </message>
    <message>
        <source>retry %1 of %2 in %3 min</source>
        <translation>%2 বারের মধ্যে %1 নম্বর চেষ্টা %3 মিনিট পর</translation>
    </message>
    <message>
        <source>%1 was refused at the address both send from</source>
        <translation>%1 একই প্রেরক ঠিকানায় প্রত্যাখ্যাত হয়েছে</translation>
    </message>
    <message>
        <source>a quota is used up</source>
        <translation>একটি কোটা শেষ</translation>
    </message>
    <message>
        <source>an unknown failure</source>
        <translation>অজানা ব্যর্থতা</translation>
    </message>
    <message>
        <source>billing is suspended</source>
        <translation>বিলিং স্থগিত</translation>
    </message>
    <message>
        <source>blocked before it reached the provider</source>
        <translation>প্রোভাইডারে পৌঁছানোর আগেই আটকানো</translation>
    </message>
    <message>
        <source>connecting took too long</source>
        <translation>সংযোগে বেশি সময় লেগেছে</translation>
    </message>
    <message>
        <source>cooling is switched off for this connection</source>
        <translation>এই কানেকশনের জন্য কুলিং বন্ধ রাখা</translation>
    </message>
    <message>
        <source>forbidden</source>
        <translation>নিষেধ</translation>
    </message>
    <message>
        <source>no answer came in time</source>
        <translation>সময়ের মধ্যে উত্তর আসেনি</translation>
    </message>
    <message>
        <source>no credentials</source>
        <translation>কোনো কী বা পরিচয় নেই</translation>
    </message>
    <message>
        <source>no longer than to the quota&apos;s reset</source>
        <translation>কোটার রিসেট পর্যন্তই, তার বেশি নয়</translation>
    </message>
    <message>
        <source>no rule for this status</source>
        <translation>এই স্ট্যাটাসের কোনো নিয়ম নেই</translation>
    </message>
    <message>
        <source>no such model here</source>
        <translation>এখানে এই মডেল নেই</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>পাওয়া যায়নি</translation>
    </message>
    <message>
        <source>overloaded</source>
        <translation>অতিরিক্ত চাপ</translation>
    </message>
    <message>
        <source>payment required</source>
        <translation>পেমেন্ট দরকার</translation>
    </message>
    <message>
        <source>rate limit</source>
        <translation>রেট লিমিট</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>ফিরিয়ে দেওয়া হয়েছে</translation>
    </message>
    <message>
        <source>server error</source>
        <translation>সার্ভার ত্রুটি</translation>
    </message>
    <message>
        <source>short of capacity</source>
        <translation>ধারণক্ষমতা কম</translation>
    </message>
    <message>
        <source>the TLS handshake failed</source>
        <translation>TLS হ্যান্ডশেক ব্যর্থ</translation>
    </message>
    <message>
        <source>the account is banned</source>
        <translation>অ্যাকাউন্টটি নিষিদ্ধ</translation>
    </message>
    <message>
        <source>the account is forbidden</source>
        <translation>অ্যাকাউন্টটির অনুমতি নেই</translation>
    </message>
    <message>
        <source>the allocation of the day is used up</source>
        <translation>দিনের বরাদ্দ শেষ</translation>
    </message>
    <message>
        <source>the answer stopped coming</source>
        <translation>উত্তর আসা থেমে গেছে</translation>
    </message>
    <message>
        <source>the answer was no valid HTTP</source>
        <translation>উত্তরটি বৈধ HTTP ছিল না</translation>
    </message>
    <message>
        <source>the attempt reached its deadline</source>
        <translation>চেষ্টার সময়সীমা শেষ</translation>
    </message>
    <message>
        <source>the connection was closed before the answer was complete</source>
        <translation>উত্তর শেষ হওয়ার আগেই সংযোগ বন্ধ হয়েছে</translation>
    </message>
    <message>
        <source>the connection was refused or the host cannot be reached</source>
        <translation>সংযোগ প্রত্যাখ্যাত, অথবা হোস্টে পৌঁছানো যাচ্ছে না</translation>
    </message>
    <message>
        <source>the connection was reset</source>
        <translation>সংযোগ রিসেট হয়েছে</translation>
    </message>
    <message>
        <source>the connection&apos;s own proxy failed</source>
        <translation>কানেকশনের নিজস্ব প্রক্সি ব্যর্থ</translation>
    </message>
    <message>
        <source>the credits are used up</source>
        <translation>ক্রেডিট শেষ</translation>
    </message>
    <message>
        <source>the endpoint has moved</source>
        <translation>এন্ডপয়েন্ট সরে গেছে</translation>
    </message>
    <message>
        <source>the first time in a row</source>
        <translation>পরপর প্রথমবার</translation>
    </message>
    <message>
        <source>the host name could not be resolved</source>
        <translation>হোস্ট নামের ঠিকানা পাওয়া যায়নি</translation>
    </message>
    <message>
        <source>the key is expired</source>
        <translation>কী মেয়াদোত্তীর্ণ</translation>
    </message>
    <message>
        <source>the key is not valid (API_KEY_INVALID)</source>
        <translation>কী বৈধ নয় (API_KEY_INVALID)</translation>
    </message>
    <message>
        <source>the key is refused</source>
        <translation>কী প্রত্যাখ্যাত</translation>
    </message>
    <message>
        <source>the limit for a minute</source>
        <translation>এক মিনিটের সীমা</translation>
    </message>
    <message>
        <source>the model is not supported</source>
        <translation>মডেলটি সমর্থিত নয়</translation>
    </message>
    <message>
        <source>the model is not to be had here</source>
        <translation>মডেলটি এখানে পাওয়া যায় না</translation>
    </message>
    <message>
        <source>the model is retired</source>
        <translation>মডেলটি অবসরে গেছে</translation>
    </message>
    <message>
        <source>the plan&apos;s limit is reached</source>
        <translation>প্ল্যানের সীমা শেষ</translation>
    </message>
    <message>
        <source>the quota for a day is spent</source>
        <translation>এক দিনের কোটা খরচ হয়ে গেছে</translation>
    </message>
    <message>
        <source>the quota of the day is used up</source>
        <translation>দিনের কোটা শেষ</translation>
    </message>
    <message>
        <source>the quota of the last 24 hours is used up</source>
        <translation>গত ২৪ ঘণ্টার কোটা শেষ</translation>
    </message>
    <message>
        <source>the quota of the week is used up</source>
        <translation>সপ্তাহের কোটা শেষ</translation>
    </message>
    <message>
        <source>the request is too large</source>
        <translation>রিকোয়েস্টটি বেশি বড়</translation>
    </message>
    <message>
        <source>the second time in a row, the next one is a ban</source>
        <translation>পরপর দ্বিতীয়বার, পরেরটি হলে নিষিদ্ধ</translation>
    </message>
    <message>
        <source>the service behind this connection does not run</source>
        <translation>এই কানেকশনের পেছনের সার্ভিস চলছে না</translation>
    </message>
    <message>
        <source>the session&apos;s limit is reached</source>
        <translation>সেশনের সীমা শেষ</translation>
    </message>
    <message>
        <source>the stream brought no content in time</source>
        <translation>স্ট্রিমে সময়মতো কিছু আসেনি</translation>
    </message>
    <message>
        <source>the subscription&apos;s limit is reached</source>
        <translation>সাবস্ক্রিপশনের সীমা শেষ</translation>
    </message>
    <message>
        <source>the third time in a row</source>
        <translation>পরপর তৃতীয়বার</translation>
    </message>
    <message>
        <source>the transport failed</source>
        <translation>ট্রান্সপোর্ট ব্যর্থ</translation>
    </message>
    <message>
        <source>this request was rejected</source>
        <translation>এই রিকোয়েস্ট ফিরিয়ে দেওয়া হয়েছে</translation>
    </message>
    <message>
        <source>too many requests at once</source>
        <translation>একসাথে অনেক বেশি রিকোয়েস্ট</translation>
    </message>
    <message>
        <source>%1 lists no model &quot;%2&quot;. Refresh the connection&apos;s models, or let it pass on unlisted ones.%3</source>
        <translation>%1-এর তালিকায় &quot;%2&quot; নামে কোনো মডেল নেই। কানেকশনের মডেল নতুন করে আনুন, অথবা তালিকার বাইরের মডেল যেতে দিন।%3</translation>
    </message>
    <message>
        <source>No provider is called &quot;%1&quot;, and no model, alias or combo &quot;%2&quot;.%3</source>
        <translation>&quot;%1&quot; নামে কোনো প্রোভাইডার নেই, &quot;%2&quot; নামে কোনো মডেল, অ্যালিয়াস বা কম্বোও নেই।%3</translation>
    </message>
    <message>
        <source>The aliases lead in a circle: %1. Change one of them.</source>
        <translation>অ্যালিয়াসগুলো ঘুরে ফিরে নিজেদের কাছেই আসে: %1। একটি বদলান।</translation>
    </message>
    <message>
        <source>The aliases lead on more than %1 times: %2. Shorten the chain.</source>
        <translation>অ্যালিয়াস %1 বারের বেশি অন্য অ্যালিয়াসে যায়: %2। শৃঙ্খল ছোট করুন।</translation>
    </message>
    <message>
        <source>&quot;%1&quot; names no model after the &quot;/&quot;.</source>
        <translation>&quot;%1&quot;-এ &quot;/&quot;-এর পরে কোনো মডেলের নাম নেই।</translation>
    </message>
    <message>
        <source>The combo &quot;%1&quot; has the strategy &quot;%2&quot;; only &quot;priority&quot; is available now. Change it on the combo.</source>
        <translation>কম্বো &quot;%1&quot;-এর কৌশল &quot;%2&quot;; এখন শুধু &quot;priority&quot; আছে। কম্বোতে তা বদলান।</translation>
    </message>
    <message>
        <source>The name &quot;%1&quot; was taken meanwhile.</source>
        <translation>&quot;%1&quot; নামটি এর মধ্যে নেওয়া হয়ে গেছে।</translation>
    </message>
    <message>
        <source>There is no combo &quot;%1&quot;.</source>
        <translation>&quot;%1&quot; নামে কোনো কম্বো নেই।</translation>
    </message>
    <message>
        <source>There is no alias &quot;%1&quot;.</source>
        <translation>&quot;%1&quot; নামে কোনো অ্যালিয়াস নেই।</translation>
    </message>
    <message>
        <source>There is no connection &quot;%1&quot;.</source>
        <translation>&quot;%1&quot; নামে কোনো কানেকশন নেই।</translation>
    </message>
    <message>
        <source>%1: %2. Nothing was changed; mend the file, or move it away and try again.</source>
        <translation>%1: %2। কিছুই বদলানো হয়নি; ফাইলটি ঠিক করুন, বা সরিয়ে রেখে আবার চেষ্টা করুন।</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>লাইন %1: %2</translation>
    </message>
    <message>
        <source>%1: It was changed meanwhile. Look at the change again.</source>
        <translation>%1: ইতিমধ্যে ফাইলটি বদলেছে। বদলটি আবার দেখুন।</translation>
    </message>
    <message>
        <source>%1: It was changed since, so it is left as it is. What was there before is in %2.</source>
        <translation>%1: পরে ফাইলটি বদলেছে, তাই যেমন আছে তেমনই রাখা হলো। আগে যা ছিল তা আছে এখানে: %2।</translation>
    </message>
    <message>
        <source>%1: It was changed since, so it is left as it is.</source>
        <translation>%1: পরে ফাইলটি বদলেছে, তাই যেমন আছে তেমনই রাখা হলো।</translation>
    </message>
    <message>
        <source>%1: Its copy %2 is gone, so it is left as it is.</source>
        <translation>%1: এর কপি %2 আর নেই, তাই যেমন আছে তেমনই রাখা হলো।</translation>
    </message>
    <message>
        <source>%1: This is no file.</source>
        <translation>%1: এটি কোনো ফাইল নয়।</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is set twice</source>
        <translation>&quot;%1&quot; দুবার দেওয়া আছে</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has more than a simple value; put it on one line first</source>
        <translation>&quot;%1&quot;-এর মান এক লাইনের নয়; আগে এক লাইনে আনুন</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no object, so nothing can be put into it</source>
        <translation>&quot;%1&quot; কোনো object নয়, তাই তাতে কিছু রাখা যায় না</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is written in a form that cannot be added to; turn it into a table %2</source>
        <translation>&quot;%1&quot; এমনভাবে লেখা যে তাতে যোগ করা যায় না; একে %2 টেবিল করুন</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is written in one-line form; write each element in lines of its own</source>
        <translation>&quot;%1&quot; এক লাইনে লেখা; প্রতিটি উপাদান নিজের লাইনে লিখুন</translation>
    </message>
    <message>
        <source>From 0 to 100,000 dollars.</source>
        <translation>০ থেকে ১,০০,০০০ ডলার।</translation>
    </message>
    <message>
        <source>The price was not saved.</source>
        <translation>দাম সংরক্ষণ হয়নি।</translation>
    </message>
    <message>
        <source>It is no text in UTF-8</source>
        <translation>এটি UTF-8 লেখা নয়</translation>
    </message>
    <message>
        <source>a comma or } is missing</source>
        <translation>একটি কমা বা } নেই</translation>
    </message>
    <message>
        <source>a comma or ] is missing</source>
        <translation>একটি কমা বা ] নেই</translation>
    </message>
    <message>
        <source>a colon is missing</source>
        <translation>একটি কোলন নেই</translation>
    </message>
    <message>
        <source>a name in quotes, or }, is missing</source>
        <translation>উদ্ধৃতিচিহ্নে একটি নাম, বা }, নেই</translation>
    </message>
    <message>
        <source>a text has no closing quote</source>
        <translation>একটি লেখার শেষের উদ্ধৃতিচিহ্ন নেই</translation>
    </message>
    <message>
        <source>a text holds what JSON does not allow</source>
        <translation>একটি লেখায় এমন কিছু আছে যা JSON মানে না</translation>
    </message>
    <message>
        <source>a value is missing</source>
        <translation>একটি মান নেই</translation>
    </message>
    <message>
        <source>a value is missing, or is none</source>
        <translation>একটি মান নেই, বা সেটি মানই নয়</translation>
    </message>
    <message>
        <source>a comment has no end</source>
        <translation>একটি মন্তব্যের শেষ নেই</translation>
    </message>
    <message>
        <source>a closing ] is missing</source>
        <translation>শেষের ] নেই</translation>
    </message>
    <message>
        <source>a closing } is missing</source>
        <translation>শেষের } নেই</translation>
    </message>
    <message>
        <source>a name is missing</source>
        <translation>একটি নাম নেই</translation>
    </message>
    <message>
        <source>= is missing behind a name</source>
        <translation>নামের পরে = নেই</translation>
    </message>
    <message>
        <source>the ] of a table&apos;s name is missing</source>
        <translation>টেবিলের নামের ] নেই</translation>
    </message>
    <message>
        <source>something follows the value</source>
        <translation>মানের পরে আরও কিছু আছে</translation>
    </message>
    <message>
        <source>something follows the end of the document</source>
        <translation>নথির শেষের পরে আরও কিছু আছে</translation>
    </message>
    <message>
        <source>it is nested too deeply</source>
        <translation>অতিরিক্ত গভীরে সাজানো</translation>
    </message>
    <message>
        <source>the document is no object, so nothing can be put into it</source>
        <translation>নথিটি কোনো object নয়, তাই তাতে কিছু রাখা যায় না</translation>
    </message>
    <message>
        <source>YAML knows no tabs as indentation</source>
        <translation>YAML-এ ট্যাব দিয়ে সরানো যায় না</translation>
    </message>
    <message>
        <source>there is more than one document in the file</source>
        <translation>ফাইলে একাধিক নথি আছে</translation>
    </message>
    <message>
        <source>this belongs to no key</source>
        <translation>এটি কোনো নামের অধীনে নেই</translation>
    </message>
    <message>
        <source>this is no &quot;key: value&quot;</source>
        <translation>এটি &quot;key: value&quot; নয়</translation>
    </message>
    <message>
        <source>this is no NAME=value</source>
        <translation>এটি NAME=value নয়</translation>
    </message>
    <message>
        <source>the settings are written in one-line form; write one &quot;key: value&quot; in each line</source>
        <translation>সেটিংস এক লাইনে লেখা; প্রতি লাইনে একটি করে &quot;key: value&quot; লিখুন</translation>
    </message>
    <message>
        <source>There is no change to take back.</source>
        <translation>ফিরিয়ে নেওয়ার মতো কোনো বদল নেই।</translation>
    </message>
    <message>
        <source>1 to 100 letters, digits, &quot;-&quot;, &quot;_&quot; or &quot;.&quot;.</source>
        <translation>১ থেকে ১০০টি ইংরেজি অক্ষর, অঙ্ক, &quot;-&quot;, &quot;_&quot; বা &quot;.&quot;।</translation>
    </message>
    <message>
        <source>Another combo has this name.</source>
        <translation>আরেকটি কম্বোর এই নাম আছে।</translation>
    </message>
    <message>
        <source>An alias has this name.</source>
        <translation>একটি অ্যালিয়াসের এই নাম আছে।</translation>
    </message>
    <message>
        <source>Another alias has this name.</source>
        <translation>আরেকটি অ্যালিয়াসের এই নাম আছে।</translation>
    </message>
    <message>
        <source>A combo needs at least one model.</source>
        <translation>কম্বোতে অন্তত একটি মডেল লাগে।</translation>
    </message>
    <message>
        <source>At most 100 models.</source>
        <translation>সর্বোচ্চ ১০০টি মডেল।</translation>
    </message>
    <message>
        <source>The same model on the same connection is in the list already.</source>
        <translation>একই কানেকশনে একই মডেল তালিকায় আগে থেকেই আছে।</translation>
    </message>
    <message>
        <source>1 to 100 characters without blanks.</source>
        <translation>১ থেকে ১০০টি অক্ষর, ফাঁকা ছাড়া।</translation>
    </message>
    <message>
        <source>This leads back to the alias itself.</source>
        <translation>এটি ঘুরে এই অ্যালিয়াসেই ফেরে।</translation>
    </message>
    <message>
        <source>More than 8 aliases would lead from one to the next.</source>
        <translation>একটির পর একটি ৮টির বেশি অ্যালিয়াস হয়ে যেত।</translation>
    </message>
    <message>
        <source>Only &quot;priority&quot; is supported.</source>
        <translation>শুধু &quot;priority&quot; চলে।</translation>
    </message>
    <message>
        <source>The combo was not saved.</source>
        <translation>কম্বো সংরক্ষণ হয়নি।</translation>
    </message>
    <message>
        <source>The alias was not saved.</source>
        <translation>অ্যালিয়াস সংরক্ষণ হয়নি।</translation>
    </message>
    <message>
        <source>The connections were not changed.</source>
        <translation>কানেকশনগুলো বদলানো হয়নি।</translation>
    </message>
    <message>
        <source>This can no longer be undone: 10 minutes have passed, or it was undone already.</source>
        <translation>এটি আর ফেরানো যাবে না: ১০ মিনিট পেরিয়ে গেছে, অথবা আগেই ফেরানো হয়েছে।</translation>
    </message>
    <message>
        <source>The request names no model.</source>
        <translation>রিকোয়েস্টে কোনো মডেলের নাম নেই।</translation>
    </message>
    <message>
        <source>The backup was made by a newer version of OmniRoute Desktop (schema %1, this program knows up to %2). Update the program first. Nothing was changed.</source>
        <translation>ব্যাকআপটি OmniRoute Desktop-এর নতুনতর সংস্করণের তৈরি (স্কিমা %1, এই প্রোগ্রাম %2 পর্যন্ত জানে)। আগে প্রোগ্রামটি আপডেট করুন। কিছুই বদলানো হয়নি।</translation>
    </message>
    <message>
        <source>The backup is damaged (%1). Nothing was changed.</source>
        <translation>ব্যাকআপটি ক্ষতিগ্রস্ত (%1)। কিছুই বদলানো হয়নি।</translation>
    </message>
    <message>
        <source>The backup %1 is no longer there.</source>
        <translation>%1 ব্যাকআপটি আর নেই।</translation>
    </message>
    <message>
        <source>The backup %1 cannot be deleted. Check the permissions of its folder.</source>
        <translation>%1 ব্যাকআপটি মোছা যায় না। এর ফোল্ডারের অনুমতি দেখুন।</translation>
    </message>
    <message>
        <source>The key of %1 cannot be read, so the export would lack it: %2 Enter the key anew, or export without a passphrase.</source>
        <translation>%1-এর কী পড়া যায় না, তাই এক্সপোর্টে তা থাকত না: %2 কীটি নতুন করে দিন, অথবা পাসফ্রেজ ছাড়া এক্সপোর্ট করুন।</translation>
    </message>
    <message>
        <source>key of connection %1: the document holds none that can be read; enter it by hand</source>
        <translation>কানেকশন %1-এর কী: ফাইলে পড়ার মতো কোনো কী নেই; হাতে দিন</translation>
    </message>
    <message>
        <source>connection %1: another connection of this provider has its name</source>
        <translation>কানেকশন %1: এই প্রোভাইডারের আরেকটি কানেকশনের এই নাম আছে</translation>
    </message>
    <message>
        <source>connection %1: there is no provider %2 here</source>
        <translation>কানেকশন %1: এখানে %2 নামে কোনো প্রোভাইডার নেই</translation>
    </message>
    <message>
        <source>connection %1: a connection of another provider has its id</source>
        <translation>কানেকশন %1: অন্য প্রোভাইডারের একটি কানেকশনের এই id আছে</translation>
    </message>
    <message>
        <source>endpoint %1: another endpoint has its name or prefix</source>
        <translation>এন্ডপয়েন্ট %1: আরেকটি এন্ডপয়েন্টের এই নাম বা প্রিফিক্স আছে</translation>
    </message>
    <message>
        <source>combo %1: another combo or an alias has its name</source>
        <translation>কম্বো %1: আরেকটি কম্বো বা অ্যালিয়াসের এই নাম আছে</translation>
    </message>
    <message>
        <source>combo %1: none of its connections or providers is here</source>
        <translation>কম্বো %1: এর কোনো কানেকশন বা প্রোভাইডার এখানে নেই</translation>
    </message>
    <message>
        <source>%1 steps of combo %2: their connections or providers are not here</source>
        <translation>কম্বো %2-এর %1টি ধাপ: সেগুলোর কানেকশন বা প্রোভাইডার এখানে নেই</translation>
    </message>
    <message>
        <source>alias %1: a combo has its name</source>
        <translation>অ্যালিয়াস %1: একটি কম্বোর এই নাম আছে</translation>
    </message>
    <message>
        <source>client key %1: another key has its name</source>
        <translation>ক্লায়েন্ট কী %1: আরেকটি কী-র এই নাম আছে</translation>
    </message>
    <message>
        <source>port and network of the settings: %1</source>
        <translation>সেটিংসের পোর্ট ও নেটওয়ার্ক: %1</translation>
    </message>
    <message>
        <source>It is no JSON that could be read.</source>
        <translation>এটি পড়ার মতো JSON নয়।</translation>
    </message>
    <message>
        <source>It is a link to something outside your home folder.</source>
        <translation>এটি আপনার হোম ফোল্ডারের বাইরের কিছুর লিংক।</translation>
    </message>
    <message>
        <source>It is no file.</source>
        <translation>এটি ফাইল নয়।</translation>
    </message>
    <message>
        <source>It belongs to another user.</source>
        <translation>এটি অন্য ব্যবহারকারীর।</translation>
    </message>
    <message>
        <source>It is larger than 1 MiB.</source>
        <translation>এটি ১ MiB-এর চেয়ে বড়।</translation>
    </message>
    <message>
        <source>It cannot be read. Check its permissions.</source>
        <translation>এটি পড়া যায় না। এর অনুমতি দেখুন।</translation>
    </message>
    <message>
        <source>It is no text in UTF-8.</source>
        <translation>এটি UTF-8 লেখা নয়।</translation>
    </message>
    <message>
        <source>The backup is damaged, or is no database. Nothing was changed.</source>
        <translation>ব্যাকআপটি ক্ষতিগ্রস্ত, অথবা ডেটাবেসই নয়। কিছুই বদলানো হয়নি।</translation>
    </message>
    <message>
        <source>This is no backup of OmniRoute Desktop. Nothing was changed.</source>
        <translation>এটি OmniRoute Desktop-এর ব্যাকআপ নয়। কিছুই বদলানো হয়নি।</translation>
    </message>
    <message>
        <source>The document is not JSON.</source>
        <translation>ফাইলটি JSON নয়।</translation>
    </message>
    <message>
        <source>This is no exported configuration of OmniRoute Desktop.</source>
        <translation>এটি OmniRoute Desktop-এর এক্সপোর্ট করা কনফিগারেশন নয়।</translation>
    </message>
    <message>
        <source>The document does not tell its version.</source>
        <translation>ফাইলটি নিজের সংস্করণ বলে না।</translation>
    </message>
    <message>
        <source>The document was made by a newer version of this program. Update it first.</source>
        <translation>ফাইলটি এই প্রোগ্রামের নতুনতর সংস্করণে তৈরি। আগে প্রোগ্রামটি আপডেট করুন।</translation>
    </message>
    <message>
        <source>The document was not imported.</source>
        <translation>ফাইলটি ইমপোর্ট হয়নি।</translation>
    </message>
    <message>
        <source>The document is larger than 64 MiB.</source>
        <translation>ফাইলটি ৬৪ MiB-এর চেয়ে বড়।</translation>
    </message>
    <message>
        <source>The encrypted part of the document is damaged.</source>
        <translation>ফাইলের এনক্রিপ্ট করা অংশটি ক্ষতিগ্রস্ত।</translation>
    </message>
    <message>
        <source>The passphrase does not fit this document, or the document was changed.</source>
        <translation>পাসফ্রেজ এই ফাইলের সঙ্গে মেলে না, অথবা ফাইলটি বদলানো হয়েছে।</translation>
    </message>
    <message>
        <source>keys: the document holds them under a passphrase, and none was given</source>
        <translation>কী: ফাইলে সেগুলো পাসফ্রেজে ঢাকা, আর কোনো পাসফ্রেজ দেওয়া হয়নি</translation>
    </message>
    <message>
        <source>The backup cannot be laid ready in %1. Check the permissions of its folder.</source>
        <translation>ব্যাকআপটি %1-এ প্রস্তুত করে রাখা যায় না। এর ফোল্ডারের অনুমতি দেখুন।</translation>
    </message>
    <message>
        <source>%1 cannot be deleted. Check the permissions of its folder.</source>
        <translation>%1 মোছা যায় না। এর ফোল্ডারের অনুমতি দেখুন।</translation>
    </message>
    <message>
        <source>%1 cannot be moved to %2. Check the permissions of the folder.</source>
        <translation>%1-কে %2-এ সরানো যায় না। ফোল্ডারের অনুমতি দেখুন।</translation>
    </message>
    <message>
        <source>The database %1 is missing, and the backup that was to take its place cannot: %2 Put a database or a backup there under this name, or delete %3 to begin with an empty one.</source>
        <translation>%1 ডেটাবেসটি নেই, আর যে ব্যাকআপের এর জায়গা নেওয়ার কথা ছিল সেটিও নিতে পারে না: %2 ওখানে এই নামে কোনো ডেটাবেস বা ব্যাকআপ রাখুন, অথবা খালি ডেটাবেস দিয়ে শুরু করতে %3 মুছে দিন।</translation>
    </message>
</context>
</TS>

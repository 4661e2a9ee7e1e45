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
        <translation>ফাইলের &amp;নাম:</translation>
    </message>
    <message>
        <source>Files of type:</source>
        <translation>ফাইলের ধরন:</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;খুলুন</translation>
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
        <translation>&amp;পূর্বাবস্থায় ফেরান</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>পুনরায় &amp;করুন</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;কাট</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>ক&amp;পি</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>পে&amp;স্ট</translation>
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
        <translation>&amp;হ্যাঁ</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>&amp;না</translation>
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
        <translation>&amp;পূর্বাবস্থায় ফেরান</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>পুনরায় &amp;করুন</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;কাট</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>ক&amp;পি</translation>
    </message>
    <message>
        <source>Copy &amp;Link Location</source>
        <translation>লিংকের ঠিকানা &amp;কপি</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>পে&amp;স্ট</translation>
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
    <name>omni::ClearHolds</name>
    <message>
        <source>Cleared: %1 · unchanged: %2 · skipped, terminal: %3 · model lockouts cleared: %4</source>
        <translation>তোলা হয়েছে: %1 · অপরিবর্তিত: %2 · বাদ, চূড়ান্ত: %3 · মডেল লকআউট তোলা হয়েছে: %4</translation>
    </message>
</context>
<context>
    <name>omni::ClientKeys</name>
    <message>
        <source>Create key</source>
        <translation>কী তৈরি করুন</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>কপি</translation>
    </message>
    <message>
        <source>Name, such as: laptop</source>
        <translation>নাম, যেমন: ল্যাপটপ</translation>
    </message>
    <message>
        <source>Name of the new client key</source>
        <translation>নতুন ক্লায়েন্ট কী-এর নাম</translation>
    </message>
    <message>
        <source>The new client key</source>
        <translation>নতুন ক্লায়েন্ট কী</translation>
    </message>
    <message>
        <source>Copied the new client key.</source>
        <translation>নতুন ক্লায়েন্ট কী কপি হয়েছে।</translation>
    </message>
    <message>
        <source>Clients need a key, and there is none yet: every request is refused until you create one.</source>
        <translation>ক্লায়েন্টদের কী লাগবে, কিন্তু এখনো কোনো কী নেই: একটি তৈরি না করা পর্যন্ত প্রতিটি রিকোয়েস্ট প্রত্যাখ্যাত হবে।</translation>
    </message>
    <message>
        <source>Clients send one of these keys as they would send a provider&apos;s.</source>
        <translation>ক্লায়েন্টরা প্রোভাইডারের কী-এর মতোই এই কী-গুলোর একটি পাঠায়।</translation>
    </message>
    <message>
        <source>Clients need no key now. A key still tells in the request log who asked.</source>
        <translation>এখন ক্লায়েন্টদের কী লাগে না। তবু কী থাকলে রিকোয়েস্ট লগে বোঝা যায় কে চেয়েছে।</translation>
    </message>
    <message>
        <source>used %1</source>
        <comment>when, such as: 3 minutes ago</comment>
        <translation>%1 ব্যবহৃত</translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>এখনো ব্যবহৃত হয়নি</translation>
    </message>
    <message>
        <source>Revoke</source>
        <translation>বাতিল করুন</translation>
    </message>
    <message>
        <source>Revoke the key “%1”</source>
        <translation>“%1” কী বাতিল করুন</translation>
    </message>
    <message>
        <source>revoked</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>The key “%1”. Copy it now: it is shown this once and kept nowhere.</source>
        <translation>“%1” কী। এখনই কপি করুন: এটি একবারই দেখানো হয়, কোথাও রাখা হয় না।</translation>
    </message>
    <message>
        <source>Revoke the key “%1”?</source>
        <translation>“%1” কী বাতিল করবেন?</translation>
    </message>
    <message>
        <source>Clients that send it are refused from now on, and this cannot be undone.</source>
        <translation>যে ক্লায়েন্টরা এটি পাঠায় তারা এখন থেকে প্রত্যাখ্যাত হবে, এবং এটি আর ফেরানো যাবে না।</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>বাতিল</translation>
    </message>
    <message>
        <source>Revoked the key “%1”.</source>
        <translation>“%1” কী বাতিল হয়েছে।</translation>
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
        <source>Menu</source>
        <translation>মেনু</translation>
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
        <source>Enter shows the failures of the provider</source>
        <translation>Enter চাপলে প্রোভাইডারের ব্যর্থতা দেখায়</translation>
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
        <source>Show the requests of all connections again</source>
        <translation>আবার সব কানেকশনের রিকোয়েস্ট দেখান</translation>
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
        <source>Every request in it is deleted, and this cannot be undone. Connections and settings stay.</source>
        <translation>এর প্রতিটি রিকোয়েস্ট মুছে যাবে, আর ফেরানো যাবে না। কানেকশন ও সেটিংস থাকবে।</translation>
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
        <source>Programs on this computer must send one of the client keys below. Off: any of them may use the proxy.</source>
        <translation>এই কম্পিউটারের প্রোগ্রামগুলোকে নিচের ক্লায়েন্ট কী-গুলোর একটি পাঠাতে হবে। বন্ধ থাকলে: যেকোনো প্রোগ্রাম প্রক্সি ব্যবহার করতে পারে।</translation>
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
        <source>Client keys</source>
        <translation>ক্লায়েন্ট কী</translation>
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
        <source>The provider is left out. Timeouts, server errors and lost connections count; rate limits never do.</source>
        <translation>প্রোভাইডার বাদ পড়ে। টাইমআউট, সার্ভার ত্রুটি ও হারানো সংযোগ গোনা হয়; রেট লিমিট কখনো নয়।</translation>
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
        <source>Resilience: API keys</source>
        <translation>রেজিলিয়েন্স: API কী</translation>
    </message>
    <message>
        <source>Resilience: OAuth sign-ins</source>
        <translation>রেজিলিয়েন্স: OAuth সাইন-ইন</translation>
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
        <source>Notify me when something goes out of service</source>
        <translation>কিছু সেবার বাইরে গেলে জানান</translation>
    </message>
    <message>
        <source>When a provider&apos;s breaker opens, or a connection needs you. At most one notification in 30 seconds.</source>
        <translation>প্রোভাইডারের ব্রেকার ওপেন হলে, অথবা কোনো কানেকশনের আপনাকে দরকার হলে। ৩০ সেকেন্ডে সর্বোচ্চ একটি বিজ্ঞপ্তি।</translation>
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
</context>
</TS>

#include "program/test_program.h"
#include "routing/route_preview.h"
#include "support/control_fixture.h"

#include <QTest>

using namespace omni;
using omni::test::ControlFixture;

class ControlRoutingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_fixture = std::make_unique<ControlFixture>();
        QVERIFY(m_fixture->save(ControlFixture::draft("One")).ok());
    }
    void cleanup() { m_fixture.reset(); }
    void removedCombosComeBack();
    void aliasesAreRenamed();
    void removedAliasesComeBack();
    void previewSendsNothing();
    void previewFindsTheWireFormat();
    void severalConnectionsAreChanged();
    void aProxysPasswordIsNeverSentToAnother();

private:
    Result<ChangedConnections> change(std::vector<ConnectionChange> changes)
    {
        return m_fixture->wait<ChangedConnections>(
            [&](Reply<ChangedConnections> reply) { m_fixture->control->changeConnections(changes, std::move(reply)); });
    }
    Result<int> undo(const std::string& token)
    {
        return m_fixture->wait<int>([&](Reply<int> reply) { m_fixture->control->undoChange(token, std::move(reply)); });
    }

    Result<Combo> add(const std::string& name, const std::string& model = "gpt-5", const std::string& provider = "openai")
    {
        Combo combo;
        combo.name = name;
        combo.targets = {{"", ProviderId(provider), model, {}, {}}};
        return m_fixture->wait<Combo>([&](Reply<Combo> reply) { m_fixture->control->saveCombo(combo, std::move(reply)); });
    }
    Result<ModelAlias> alias(const ModelAlias& alias, const std::string& renamed = {})
    {
        return m_fixture->wait<ModelAlias>(
            [&](Reply<ModelAlias> reply) { m_fixture->control->saveAlias(alias, std::move(reply), renamed); });
    }
    const Configuration& now() const { return *m_fixture->control->configuration(); }

    std::unique_ptr<ControlFixture> m_fixture;
};

void ControlRoutingTest::removedCombosComeBack()
{
    ControlFixture& f = *m_fixture;
    const auto first = add("first");
    const auto second = add("second");
    QVERIFY(first && second);
    const auto remove = [&](std::vector<ComboId> ids) {
        return f.wait<std::vector<Combo>>([&](Reply<std::vector<Combo>> reply) { f.control->removeCombos(ids, std::move(reply)); });
    };
    const auto restore = [&](std::vector<Combo> combos) {
        return f.wait<int>([&](Reply<int> reply) { f.control->restoreCombos(combos, std::move(reply)); });
    };
    QVERIFY(!remove({first->id, ComboId("nobody")}).ok());
    QCOMPARE(now().combos.size(), std::size_t(2));
    const auto gone = remove({first->id, second->id});
    QVERIFY(gone);
    QCOMPARE(gone->size(), std::size_t(2));
    QVERIFY(now().combos.empty());

    // What a combo refers to may be gone by then: it comes back as it was.
    QVERIFY(f.wait<std::string>([&](Reply<std::string> reply) { f.control->removeConnections({f.idOf("One")}, std::move(reply)); }).ok());
    QCOMPARE(restore(*gone).valueOr(0), 2);
    QCOMPARE(now().combos.size(), std::size_t(2));
    f.restart();
    QCOMPARE(now().combos.size(), std::size_t(2));
    QVERIFY(restore(*gone).error().kind == ErrorKind::Conflict);
    QVERIFY(remove({first->id}).ok());
    QVERIFY(add("First"));
    Combo was = *first;
    QVERIFY(restore({was}).error().kind == ErrorKind::Conflict);
}

void ControlRoutingTest::aliasesAreRenamed()
{
    QVERIFY(add("coding"));
    QVERIFY(alias({"fast", "coding"}));
    QVERIFY(alias({"slow", "gpt-5"}));
    QVERIFY(alias({"quick", "coding"}, "fast"));
    QCOMPARE(now().aliases.size(), std::size_t(2));
    QVERIFY(alias({"quick", "gpt-5"}, "quick"));
    QCOMPARE(now().aliases.size(), std::size_t(2));
    const auto taken = alias({"slow", "coding"}, "quick");
    QVERIFY(!taken);
    QCOMPARE(taken.error().details.size(), std::size_t(1));
    QVERIFY(alias({"x", "coding"}, "nobody").error().kind == ErrorKind::NotFound);
    m_fixture->restart();
    QCOMPARE(now().aliases.size(), std::size_t(2));
    QVERIFY(std::any_of(now().aliases.begin(), now().aliases.end(), [](const ModelAlias& one) {
        return one == ModelAlias{"quick", "gpt-5"};
    }));
}

void ControlRoutingTest::removedAliasesComeBack()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(alias({"a", "gpt-5"}) && alias({"b", "a"}));
    const auto gone = f.wait<std::vector<ModelAlias>>([&](Reply<std::vector<ModelAlias>> reply) {
        f.control->removeAliases({"a", "b"}, std::move(reply));
    });
    QVERIFY(gone);
    QVERIFY(now().aliases.empty());
    const auto restore = [&] { return f.wait<int>([&](Reply<int> reply) { f.control->restoreAliases(*gone, std::move(reply)); }); };
    QCOMPARE(restore().valueOr(0), 2);
    QCOMPARE(now().aliases.size(), std::size_t(2));
    QVERIFY(restore().error().kind == ErrorKind::Conflict);
}

void ControlRoutingTest::previewSendsNothing()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.settle());
    QVERIFY(add("coding"));
    QVERIFY(alias({"fast", "coding"}));
    const std::size_t sent = f.transport->count();
    const auto preview = f.control->previewRoute({"fast"});
    QVERIFY2(preview.ok(), preview ? "" : describe(preview.error()).c_str());
    QCOMPARE(preview->names, (std::vector<std::string>{"fast", "coding"}));
    QCOMPARE(preview->combo, std::string("coding"));
    QVERIFY(preview->chosen());
    QCOMPARE(preview->chosen()->connectionName, std::string("One"));
    QCOMPARE(f.transport->count(), sent);
    QVERIFY(!f.control->engineSnapshot().health(f.idOf("One")) || !f.control->engineSnapshot().health(f.idOf("One"))->lastUsedAt);

    QVERIFY(f.control->previewRoute({"unheard-of"}).error().kind == ErrorKind::NotFound);
    QVERIFY(f.control->previewRoute({"fast", {}, ApiKeyId("nobody")}).error().kind == ErrorKind::NotFound);
}

void ControlRoutingTest::previewFindsTheWireFormat()
{
    ControlFixture& f = *m_fixture;
    ConnectionDraft draft = ControlFixture::draft("Claude");
    draft.connection.provider = ProviderId("anthropic");
    QVERIFY(f.save(draft).ok());
    const auto free = f.control->previewRoute({"anthropic/claude-sonnet-4-5"});
    QVERIFY2(free.ok(), free ? "" : describe(free.error()).c_str());
    QVERIFY(free->operation == Operation::Messages);
    QVERIFY(free->chosen());
    const auto fixed = f.control->previewRoute({"anthropic/claude-sonnet-4-5", Operation::Responses});
    QVERIFY(fixed);
    QVERIFY(!fixed->chosen());
    QVERIFY(fixed->considered.front().reason == Exclusion::DialectMismatch);
}

void ControlRoutingTest::severalConnectionsAreChanged()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("Two")).ok());
    ConnectionPatch patch;
    patch.enabled = false;
    patch.priority = 7;
    patch.disableCooling = true;
    patch.http2 = true;
    const auto changed = change({{f.idOf("One"), patch}, {f.idOf("Two"), patch}});
    QVERIFY2(changed.ok(), changed ? "" : describe(changed.error()).c_str());
    QCOMPARE(changed->changed, 2);
    for (const char* name : {"One", "Two"}) {
        QVERIFY(!f.find(name)->enabled && f.find(name)->disableCooling && f.find(name)->http2);
        QCOMPARE(f.find(name)->priority, 7);
    }
    QCOMPARE(change({{f.idOf("One"), patch}})->changed, 0);

    // All or nothing, and each once.
    ConnectionPatch bad;
    bad.priority = 0;
    const auto refused = change({{f.idOf("One"), ConnectionPatch()}, {f.idOf("Two"), bad}});
    QVERIFY(!refused && refused.error().details.front().field == "priority");
    bad.priority = 3;
    QVERIFY(change({{f.idOf("One"), bad}, {ConnectionId("nobody"), bad}}).error().kind == ErrorKind::NotFound);
    QVERIFY(change({{f.idOf("One"), bad}, {f.idOf("One"), bad}}).error().kind == ErrorKind::InvalidArgument);
    QCOMPARE(f.find("One")->priority, 7);

    // What was changed otherwise meanwhile stays.
    ConnectionDraft renamed{*f.find("One"), {}, {}};
    renamed.connection.name = "Uno";
    QVERIFY(f.save(renamed).ok());
    QCOMPARE(undo(changed->undo).valueOr(0), 2);
    QVERIFY(f.find("Uno")->enabled && !f.find("Uno")->disableCooling && !f.find("Uno")->http2);
    QCOMPARE(f.find("Two")->priority, 1);
    QVERIFY(undo(changed->undo).error().kind == ErrorKind::NotFound);
    f.restart();
    QVERIFY(f.find("Two")->enabled);
    QCOMPARE(f.find("Uno")->priority, 1);
}

void ControlRoutingTest::aProxysPasswordIsNeverSentToAnother()
{
    ControlFixture& f = *m_fixture;
    ConnectionDraft draft = ControlFixture::draft("Behind");
    draft.connection.proxyUrl = "http://old.example:8080";
    draft.proxySecret = "user:old";
    QVERIFY(f.save(draft).ok());
    const auto passwordOf = [&](const char* name) { return f.control->proxySecretOf(*f.find(name)).valueOr("?"); };
    QCOMPARE(passwordOf("Behind"), std::string("user:old"));
    ConnectionPatch patch;
    patch.proxyUrl = "http://old.example:8080";
    QCOMPARE(change({{f.idOf("Behind"), patch}})->changed, 0);
    patch.proxyUrl = "http://new.example:8080";
    const auto moved = change({{f.idOf("Behind"), patch}});
    QVERIFY(moved);
    QVERIFY(f.find("Behind")->proxySecretRef.empty());
    QCOMPARE(undo(moved->undo).valueOr(0), 1);
    QCOMPARE(f.find("Behind")->proxyUrl, std::string("http://old.example:8080"));
    QCOMPARE(passwordOf("Behind"), std::string("user:old"));

    patch.proxySecret = "user:new";
    const auto given = change({{f.idOf("Behind"), patch}, {f.idOf("One"), patch}});
    QVERIFY(given);
    QCOMPARE(passwordOf("Behind"), std::string("user:new"));
    QCOMPARE(passwordOf("One"), std::string("user:new"));
    QVERIFY(f.find("Behind")->proxySecretRef != f.find("One")->proxySecretRef);
    // Once it cannot be taken back any more, the old password goes.
    const std::size_t kept = f.secrets.values.size();
    f.scheduler->advance(Millis(600'001));
    QTRY_COMPARE(f.secrets.values.size(), kept - 1);
    QVERIFY(undo(given->undo).error().kind == ErrorKind::NotFound);
}

OMNI_TEST(ControlRoutingTest)
#include "control_routing_test.moc"

#pragma once

#include "base/clock.h"
#include "base/scheduler.h"
#include "base/text.h"
#include "sandbox/sandbox.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QEventLoop>
#include <QSocketNotifier>
#include <QTimer>

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace omni::test {

/// An answer taken apart, exactly as its bytes say.
struct RawAnswer {
    int status = 0;
    std::map<std::string, std::string> headers;  ///< names in lower case
    std::string body;                            ///< chunks joined
    std::vector<std::string> chunks;
    std::string trailers;
    bool chunked = false;
    bool complete = false;   ///< by its length or its last chunk
    bool malformed = false;  ///< a chunk size that is none
    std::size_t bytes = 0;   ///< of the whole answer on the wire

    nlohmann::json json() const { return nlohmann::json::parse(body, nullptr, false); }
};

inline RawAnswer parseAnswer(std::string_view wire)
{
    RawAnswer answer;
    const std::size_t end = wire.find("\r\n\r\n");
    if (end == std::string_view::npos)
        return answer;
    std::string_view head = wire.substr(0, end + 2);
    answer.status = std::atoi(std::string(head.substr(9, 3)).c_str());
    head.remove_prefix(head.find("\r\n") + 2);
    while (!head.empty()) {
        const std::string_view line = head.substr(0, head.find("\r\n"));
        head.remove_prefix(line.size() + 2);
        const std::size_t colon = line.find(':');
        answer.headers[toLower(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
    }
    if (answer.status / 100 == 1)
        return parseAnswer(wire.substr(end + 4));
    std::string_view rest = wire.substr(end + 4);
    answer.chunked = answer.headers.count("transfer-encoding") > 0;
    if (!answer.chunked) {
        const auto length = answer.headers.find("content-length");
        const std::size_t wanted = length == answer.headers.end() ? rest.size() : std::stoul(length->second);
        answer.complete = length != answer.headers.end() && rest.size() >= wanted;
        answer.body = rest.substr(0, wanted);
        answer.bytes = end + 4 + answer.body.size();
        return answer;
    }
    while (true) {
        const std::size_t eol = rest.find("\r\n");
        if (eol == std::string_view::npos)
            return answer;
        char* stopped = nullptr;
        const std::string digits(rest.substr(0, eol));
        const unsigned long size = std::strtoul(digits.c_str(), &stopped, 16);
        if (digits.empty() || *stopped != 0) {
            answer.malformed = true;
            return answer;
        }
        rest.remove_prefix(eol + 2);
        if (size == 0)
            break;
        if (rest.size() < size + 2)
            return answer;
        answer.chunks.emplace_back(rest.substr(0, size));
        answer.body += answer.chunks.back();
        rest.remove_prefix(size + 2);
    }
    const std::size_t last = rest.substr(0, 2) == "\r\n" ? 0 : rest.find("\r\n\r\n");
    if (last != std::string_view::npos) {
        answer.trailers = rest.substr(0, last);
        answer.complete = true;
        answer.bytes = wire.size() - rest.size() + last + (last == 0 ? 2 : 4);
    }
    return answer;
}

/// A plain socket that can tell a FIN from a RST and sees every read by itself. Works inside the test's own event loop.
class RawClient {
public:
    enum class End { None, Fin, Rst };

    explicit RawClient(std::uint16_t port)
    {
        m_socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        // A connection to loopback is made at once or under way; either way what is sent next waits for it.
        if (::connect(m_socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 && errno != EINPROGRESS)
            qFatal("connect: %s", std::strerror(errno));
        const int on = 1;
        setsockopt(m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        m_notifier = std::make_unique<QSocketNotifier>(m_socket, QSocketNotifier::Read);
        QObject::connect(m_notifier.get(), &QSocketNotifier::activated, m_notifier.get(), [this] { read(); });
    }
    ~RawClient() { hangUp(); }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    void hangUp()
    {
        m_notifier.reset();
        if (m_socket >= 0)
            close(m_socket);
        m_socket = -1;
    }

    void send(std::string_view bytes)
    {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent > 0)
                bytes.remove_prefix(static_cast<std::size_t>(sent));
            else if (errno == EAGAIN)
                QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
            else
                return;
        }
    }

    /// Sends a request; `members` go behind the model's name, such as ",\"stream\":true".
    void post(std::string_view path, std::string_view model, std::string_view members = {}, std::string_view headers = {})
    {
        const std::string body = "{\"model\":\"" + std::string(model) +
                                 "\",\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}],\"input\":\"Hello\",\"prompt\":\"Hello\"" +
                                 std::string(members) + "}";
        send("POST " + std::string(path) + " HTTP/1.1\r\nHost: sandbox\r\nContent-Type: application/json\r\nContent-Length: " +
             std::to_string(body.size()) + "\r\n" + std::string(headers) + "\r\n" + body);
    }

    /// Runs the event loop until `done` or the time is over.
    bool waitFor(const std::function<bool()>& done, int millis = 5000)
    {
        QTimer patience;
        bool over = false;
        QObject::connect(&patience, &QTimer::timeout, &patience, [&over] { over = true; });
        patience.start(millis);
        while (!done() && !over)
            QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
        return done();
    }
    bool waitEnd()
    {
        return waitFor([this] { return m_end != End::None; });
    }
    /// Until the answer is whole by its framing, or the connection ends.
    RawAnswer waitAnswer()
    {
        waitFor([this] { return m_end != End::None || (mayBeWhole() && answer().complete); }, 30'000);
        return answer();
    }
    /// Nothing more comes for this time.
    bool silentFor(int millis)
    {
        const std::size_t before = m_received.size();
        return !waitFor([&] { return m_received.size() != before || m_end != End::None; }, millis);
    }

    RawAnswer answer() const { return parseAnswer(m_received); }
    const std::string& received() const { return m_received; }
    void forget() { m_received.clear(); }
    End end() const { return m_end; }

private:
    /// Spares taking a long answer apart after every read.
    bool mayBeWhole() const
    {
        constexpr std::size_t kShort = 100'000;
        const std::string_view wire = m_received;
        const std::size_t end = wire.find("\r\n\r\n");
        return wire.size() < kShort || wire.substr(0, end).find("chunked") == std::string_view::npos ||
               wire.substr(wire.size() - 4) == "\r\n\r\n";
    }

    void read()
    {
        std::string buffer(65536, '\0');
        while (m_end == End::None) {
            const ssize_t got = recv(m_socket, buffer.data(), buffer.size(), 0);
            if (got > 0) {
                m_received.append(buffer.data(), static_cast<std::size_t>(got));
                continue;
            }
            if (got < 0 && errno == EAGAIN)
                return;
            m_end = got == 0 ? End::Fin : End::Rst;
            m_notifier->setEnabled(false);
        }
    }

    int m_socket = -1;
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::string m_received;
    End m_end = End::None;
};

/// The data of each event of a stream; lines may end in LF or CR LF, several data lines are joined.
inline std::vector<std::string> eventData(std::string_view stream)
{
    std::vector<std::string> events;
    std::string data;
    bool any = false;
    while (!stream.empty()) {
        std::string_view line = stream.substr(0, stream.find('\n'));
        stream.remove_prefix(std::min(line.size() + 1, stream.size()));
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        if (line.empty()) {
            if (any)
                events.push_back(data);
            data.clear();
            any = false;
        } else if (line.substr(0, 5) == "data:") {
            line.remove_prefix(line.substr(0, 6) == "data: " ? 6 : 5);
            data.append(any ? "\n" : "").append(line);
            any = true;
        }
    }
    return events;
}

/// What the model said in the stream of any dialect.
inline std::string saidIn(const std::vector<std::string>& events)
{
    std::string text;
    for (const std::string& data : events) {
        const auto event = nlohmann::json::parse(data, nullptr, false);
        if (!event.is_object())
            continue;
        const std::string type = event.value("type", "");
        if (type == "content_block_delta")
            text += event["delta"].value("text", "");
        else if (type == "response.output_text.delta")
            text += event.value("delta", "");
        else if (event.contains("choices"))
            for (const auto& choice : event["choices"])
                text += choice.contains("delta") ? choice["delta"].value("content", "") : choice.value("text", "");
    }
    return text;
}

}  // namespace omni::test

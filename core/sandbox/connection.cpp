#include "sandbox/connection.h"

#include "sandbox/answers.h"
#include "sandbox/body_writer.h"
#include "sandbox/event_shape.h"
#include "sandbox/response_head.h"

#include <QTcpSocket>

#include <algorithm>
#include <array>
#include <utility>

#ifdef Q_OS_WIN
#include <winsock2.h>
#else
#include <sys/socket.h>
#endif

namespace omni::sandbox {

namespace {

/// A slow reader stops the sandbox here instead of filling its memory.
constexpr qint64 kHighWater = 256 * 1024;
/// Events without a pause between them go out together up to this size, as a busy server's do.
constexpr std::size_t kBatch = 16 * 1024;
constexpr std::size_t kSlice = 64 * 1024;
/// An answer that is not streamed is sent in this many pieces when it has to break or pause in the middle.
constexpr std::size_t kPieces = 8;
/// A reset throws away what the other side has not read yet; this leaves it the time to read.
constexpr Millis kBeforeReset{5};

}  // namespace

/// One request under way.
struct Connection::Exchange {
    Request request;
    Planned planned;
    Framing framing = Framing::Length;
    std::optional<AnswerContext> context;
    std::unique_ptr<EventSource> events;  ///< of a stream
    std::string body;                     ///< of an answer that is none
    std::size_t bodyAt = 0;
    std::size_t slice = kSlice;
    std::optional<BodyWriter> writer;
    Frame frame;
    bool held = false;           ///< `frame` waits for its time
    std::optional<Frame> ahead;  ///< read but not yet used
    std::size_t frames = 0;
    std::size_t said = 0;
    enum class Wait : std::uint8_t { None, Head, Play, Reader, Reset, Ever } wait = Wait::None;
    bool struck = false;
    bool ended = false;
    bool brokenOff = false;  ///< ends by closing the connection
};

Connection::Connection(Shared& shared, qintptr socket, QObject* parent)
    : QObject(parent), m_shared(shared), m_socket(new QTcpSocket(this)), m_timer(shared.scheduler, [this] { due(); })
{
    // A client that sends faster than it reads answers is held back by TCP.
    m_socket->setReadBufferSize(1024 * 1024);
    connect(m_socket, &QTcpSocket::readyRead, this, [this] { readable(); });
    connect(m_socket, &QTcpSocket::bytesWritten, this, [this] { written(); });
    connect(m_socket, &QTcpSocket::disconnected, this, [this] { gone(); });
    if (!m_socket->setSocketDescriptor(socket)) {
        deleteLater();
        return;
    }
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    ++m_shared.counters.connections;
}

Connection::~Connection()
{
    m_socket->disconnect(this);
}

void Connection::gone()
{
    m_timer.stop();
    if (m_exchange && !m_leaving)
        ++m_shared.counters.abortedByClient;
    m_exchange.reset();
    m_leaving = true;
    deleteLater();
}

void Connection::readable()
{
    if (m_resetNext) {
        reset();
        return;
    }
    // Further requests wait in the socket until this one is answered.
    if (m_exchange || m_leaving)
        return;
    serve();
}

void Connection::serve()
{
    if (m_serving)
        return;
    m_serving = true;
    std::array<char, kSlice> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled before it is read
    while (!m_exchange && !m_leaving) {
        const RequestReader::State state = m_reader.step();
        if (state == RequestReader::State::Complete) {
            begin(m_reader.take());
            continue;
        }
        if (state != RequestReader::State::Incomplete) {
            refuse(state);
            break;
        }
        if (m_reader.takeContinue())
            m_socket->write("HTTP/1.1 100 Continue\r\n\r\n");
        const qint64 got = m_socket->read(buffer.data(), static_cast<qint64>(buffer.size()));
        if (got <= 0)
            break;
        if (std::exchange(m_resetNext, false)) {
            reset();
            break;
        }
        m_reader.append({buffer.data(), static_cast<std::size_t>(got)});
    }
    m_serving = false;
}

void Connection::refuse(RequestReader::State state)
{
    const int status = state == RequestReader::State::TooLarge ? 413 : 400;
    const std::string body = makeErrorBody(
        Dialect::OpenAi, {status, status == 413 ? "The request is too large for the sandbox." : "The sandbox cannot read this request."});
    const std::string head = "HTTP/1.1 " + std::to_string(status) + " " + std::string(reasonPhrase(status)) +
                             "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
                             "\r\n\r\n";
    m_socket->write((head + body).c_str(), static_cast<qint64>(head.size() + body.size()));
    close();
}

void Connection::begin(Request request)
{
    m_reader.trim();
    const std::uint64_t number = ++m_shared.counters.requests;
    if (m_shared.recording)
        m_shared.record(request);
    m_exchange = std::make_unique<Exchange>();
    Exchange& now = *m_exchange;
    now.planned = planRequest(request, m_shared);
    now.request = std::move(request);
    std::string().swap(now.request.body);
    now.context.emplace(AnswerContext{now.planned.prompt, now.planned.plan, number, epochMillis(m_shared.scheduler.clock().wall()) / 1000});

    Plan& plan = now.planned.plan;
    if (now.planned.prompt.stream && !plan.error && !plan.body) {
        ++m_shared.counters.streams;
        now.events = makeEvents(*now.context);
    } else {
        prepareBody();
    }
    now.framing = plan.framing.value_or(now.events ? Framing::Chunked : Framing::Length);
    if (now.framing == Framing::Chunked && now.request.http10)
        now.framing = Framing::UntilClose;
    const std::size_t pieces = now.events ? static_cast<std::size_t>(now.context->outputTokens()) : kPieces;
    plan.faultAfter = std::min(plan.faultAfter, std::max<std::size_t>(pieces, 1) - 1);
    open();
}

void Connection::prepareBody()
{
    Exchange& now = *m_exchange;
    const Plan& plan = now.planned.plan;
    now.body = plan.error ? makeErrorBody(now.planned.dialect, *plan.error) : plan.body ? *plan.body : makeBody(*now.context);
    if (plan.fault == Fault::MalformedJson)
        now.body.resize(now.body.size() / 2);
    if (plan.gzip)
        now.body = gzipped(now.body);
    if (plan.fault != Fault::None || plan.gap > Millis(0))
        now.slice = std::max<std::size_t>(now.body.size() / kPieces, 1);
}

void Connection::open()
{
    switch (m_exchange->planned.plan.opening) {
    case Opening::Answer: break;
    case Opening::Silence: m_exchange->wait = Exchange::Wait::Ever; return;
    case Opening::Reset: reset(); return;
    case Opening::Close: close(); return;
    }
    if (m_exchange->planned.plan.beforeHead > Millis(0)) {
        m_exchange->wait = Exchange::Wait::Head;
        m_timer.start(m_exchange->planned.plan.beforeHead);
        return;
    }
    sendHead();
    play();
}

void Connection::sendHead()
{
    Exchange& now = *m_exchange;
    const Plan& plan = now.planned.plan;
    now.writer.emplace(now.framing, plan.gzip && now.events, plan.cuts);
    HeadFacts facts;
    facts.requestId = now.context->idWith("req_");
    // Only a name of ours is repeated in a header.
    if (findBehaviour(now.planned.prompt.name.behaviour()))
        facts.behaviour = now.planned.prompt.name.behaviour();
    facts.anthropic = now.planned.dialect == Dialect::Anthropic;
    facts.stream = now.events != nullptr;
    facts.keepAlive = now.request.keepAlive;
    facts.framing = now.framing;
    facts.length = now.body.size();
    facts.now = m_shared.scheduler.clock().wall();
    now.writer->addRaw(responseHead(plan, facts));
}

bool Connection::takeFrame(Frame& frame)
{
    Exchange& now = *m_exchange;
    if (now.ahead) {
        frame = std::move(*now.ahead);
        now.ahead.reset();
        return true;
    }
    if (now.events)
        return now.events->next(frame);
    if (now.bodyAt >= now.body.size())
        return false;
    frame = {now.body.substr(now.bodyAt, now.slice), true, false};
    now.bodyAt += frame.bytes.size();
    return true;
}

bool Connection::nextFrame(Frame& frame)
{
    Exchange& now = *m_exchange;
    if (!takeFrame(frame))
        return false;
    if (now.planned.plan.shape == EventShape::Glued && now.events && frame.content) {
        Frame second;
        if (takeFrame(second)) {
            if (second.content)
                frame.bytes = gluedEvents(frame.bytes, second.bytes);
            else
                now.ahead = std::move(second);
        }
    }
    return true;
}

bool Connection::faultIsDue() const
{
    const Exchange& now = *m_exchange;
    if (now.planned.plan.fault == Fault::None || now.struck)
        return false;
    // An error right at the start comes before the first block is opened, not between its opening and its text.
    if (now.planned.plan.fault == Fault::ErrorEvent && now.planned.plan.faultAfter == 0)
        return !now.frame.preamble;
    return now.frame.content && now.said == now.planned.plan.faultAfter;
}

bool Connection::strike()
{
    Exchange& now = *m_exchange;
    now.struck = true;
    switch (now.planned.plan.fault) {
    case Fault::None: return true;
    case Fault::MalformedJson:
        if (now.events)
            now.frame.bytes = brokenEvent(now.frame.bytes);
        return true;
    case Fault::ErrorEvent:
        now.writer->add(
            shapedEvent(now.events->failure(now.planned.plan.faultError), now.planned.plan.shape, now.planned.plan.lineEnds, now.frames));
        endBody();
        return false;
    case Fault::Stall:
        if (flush())
            now.wait = Exchange::Wait::Ever;
        return false;
    case Fault::Reset:
        if (flush()) {
            now.wait = Exchange::Wait::Reset;
            m_timer.start(kBeforeReset);
        }
        return false;
    case Fault::MalformedChunk: now.writer->addRaw("xyz\r\nno chunk has such a size\r\n"); break;
    case Fault::Close: break;
    }
    now.ended = now.brokenOff = true;
    if (flush())
        complete();
    return false;
}

void Connection::play()
{
    while (m_exchange) {
        Exchange& now = *m_exchange;
        // Writes that are cut go out one in each turn of the loop.
        if (!now.writer->empty() && (now.planned.plan.cuts != Cuts::None || now.writer->bytes() >= kBatch) && !flush())
            return;
        if (now.ended) {
            complete();
            return;
        }
        if (m_socket->bytesToWrite() > kHighWater) {
            now.wait = Exchange::Wait::Reader;
            return;
        }
        now.wait = Exchange::Wait::None;
        if (!std::exchange(now.held, false)) {
            if (!nextFrame(now.frame)) {
                if (now.planned.plan.fault == Fault::None || now.struck)
                    endBody();
                else
                    strike();
                return;
            }
            const Millis pause = !now.frame.content ? Millis(0) : now.said == 0 ? now.planned.plan.beforeContent : now.planned.plan.gap;
            if (pause > Millis(0)) {
                if (!flush())
                    return;
                now.held = true;
                now.wait = Exchange::Wait::Play;
                m_timer.start(pause);
                return;
            }
        }
        if (faultIsDue() && !strike())
            return;
        now.said += now.frame.content ? 1 : 0;
        if (now.events)
            now.writer->add(shapedEvent(now.frame.bytes, now.planned.plan.shape, now.planned.plan.lineEnds, now.frames));
        else
            now.writer->add(now.frame.bytes);
        ++now.frames;
    }
}

void Connection::endBody()
{
    m_exchange->writer->finish(m_exchange->planned.plan.trailers, m_exchange->planned.plan.cutInTrailer);
    m_exchange->brokenOff = m_exchange->planned.plan.cutInTrailer;
    m_exchange->ended = true;
    if (flush())
        complete();
}

bool Connection::flush()
{
    Exchange& now = *m_exchange;
    if (now.writer->empty())
        return true;
    const std::string write = now.writer->takeWrite();
    m_socket->write(write.data(), static_cast<qint64>(write.size()));
    m_socket->flush();
    // A client found gone ends the exchange within the call.
    if (!m_exchange)
        return false;
    if (now.writer->empty())
        return true;
    now.wait = Exchange::Wait::Play;
    m_timer.start(Micros(0));
    return false;
}

void Connection::complete()
{
    const bool last = m_exchange->brokenOff || m_exchange->planned.plan.closeAfterAnswer || !m_exchange->request.keepAlive ||
                      m_exchange->framing == Framing::UntilClose;
    m_resetNext = m_exchange->planned.plan.resetNextRequest;
    m_exchange.reset();
    if (last)
        close();
    else if (m_reader.hasInput() || m_socket->bytesAvailable() > 0)
        serve();
}

void Connection::due()
{
    if (!m_exchange)
        return;
    switch (m_exchange->wait) {
    case Exchange::Wait::Head:
        m_exchange->wait = Exchange::Wait::None;
        sendHead();
        play();
        break;
    case Exchange::Wait::Play: play(); break;
    case Exchange::Wait::Reset: reset(); break;
    case Exchange::Wait::None:
    case Exchange::Wait::Reader:
    case Exchange::Wait::Ever: break;
    }
}

void Connection::written()
{
    if (m_exchange && m_exchange->wait == Exchange::Wait::Reader && m_socket->bytesToWrite() <= kHighWater / 2)
        play();
}

void Connection::close()
{
    m_leaving = true;
    m_timer.stop();
    m_socket->disconnectFromHost();
}

void Connection::reset()
{
    m_leaving = true;
    m_timer.stop();
    linger hard{};
    hard.l_onoff = 1;
    hard.l_linger = 0;
    // With no time to linger, closing sends RST instead of FIN.
#ifdef Q_OS_WIN
    setsockopt(static_cast<SOCKET>(m_socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, reinterpret_cast<const char*>(&hard), sizeof hard);
#else
    setsockopt(static_cast<int>(m_socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
#endif
    m_socket->abort();
}

}  // namespace omni::sandbox

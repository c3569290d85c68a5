package habemus.service.server;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.protocol.NodeId;
import habemus.service.server.Principal.Permission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * A client's connection to the {@link LockServerLoop}, over a socket or from inside the process. The loop handles its
 * requests in their order.
 */
public final class ClientConnection implements AutoCloseable {

    private final LockServerLoop loop;
    private final NodeId id;
    private final Principal principal;
    private final LockServerLoop.ReplyListener replyListener;
    private final AtomicBoolean closed = new AtomicBoolean();

    // only on the event loop:
    private final Map<RequestId, OperationResult.RejectionReason> cancelledRequests = new HashMap<>();
    private final Map<RequestId, PendingAcquire> pendingAcquires = new HashMap<>();
    private List<Message.ServerReply> replies = new ArrayList<>();
    private boolean disconnected;

    /** An acquire without a result, since this time on the clock of the loop. */
    record PendingAcquire(ResourceName.Kind kind, long startNanos) {}

    ClientConnection(LockServerLoop loop, NodeId id, Principal principal, LockServerLoop.ReplyListener replyListener) {
        this.loop = loop;
        this.id = id;
        this.principal = principal;
        this.replyListener = replyListener;
    }

    /**
     * Submits a request; the listener gets the replies. May be called by any thread, and does not wait.
     *
     * @return why the service no longer serves this connection; empty if it does
     */
    public Optional<ClientFrame.ConnectionRejected> submit(Message.ClientRequest request) {
        var admission = loop.admission();
        if (request instanceof Message.OpenSession openSession) {
            var rejected = admission.checkOpen(openSession, loop.localSessions());
            if (rejected.isPresent()) {
                loop.counters().countRejection(rejected.get().code());
                return rejected;
            }
        }
        loop.submit(
                switch (request) {
                    case Message.Submit submit -> admit(admission, submit);
                    case Message.OpenSession openSession -> admit(admission, openSession);
                    case Message.ClientRequest other -> new ServerEvent.RequestReceived(this, other);
                });
        return Optional.empty();
    }

    /** The node says as which principal it has authenticated the client. */
    private ServerEvent admit(AdmissionControl admission, Message.OpenSession openSession) {
        var reason = admission.checkSession(principal);
        if (reason.isPresent()) {
            if (reason.get() == OperationResult.RejectionReason.FORBIDDEN) {
                loop.policy().reportDenied(principal.name(), replyListener.toString(), "open a session");
            }
            return new ServerEvent.RequestRejected(this, new Message.SessionRefused(openSession.nonce(), reason.get()));
        }
        var client = openSession.client().withPrincipal(principal.name());
        return new ServerEvent.RequestReceived(
                this, new Message.OpenSession(openSession.nonce(), client, openSession.lease(), openSession.origin()));
    }

    private ServerEvent admit(AdmissionControl admission, Message.Submit submit) {
        var reason = admission.checkSubmit(submit, principal);
        if (reason.isPresent()) {
            if (reason.get() == OperationResult.RejectionReason.FORBIDDEN) {
                loop.policy().reportDenied(principal.name(), replyListener.toString(), describe(submit.operation()));
            }
            var rejection = new OperationResult.Rejected(reason.get());
            return new ServerEvent.RequestRejected(
                    this, new Message.Result(submit.session(), submit.number(), rejection));
        }
        return admission
                .exceededLimit(submit, loop.table())
                .<ServerEvent>map(limit -> new ServerEvent.LimitExceeded(this, submit, limit))
                .orElseGet(() -> new ServerEvent.RequestReceived(this, submit));
    }

    private static String describe(Operation operation) {
        return operation instanceof Operation.Acquire acquire
                ? "acquire "
                        + acquire.shares().stream()
                                .map(share -> share.name().toString())
                                .collect(Collectors.joining(", "))
                : operation.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** Closes the connection. Its sessions live on until their leases end. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            loop.submit(new ServerEvent.Disconnected(this));
        }
    }

    public Principal principal() {
        return principal;
    }

    NodeId id() {
        return id;
    }

    boolean isDisconnected() {
        return disconnected;
    }

    void markDisconnected() {
        disconnected = true;
        pendingAcquires.clear();
    }

    /** Remembers when the client asked first. */
    void onAcquire(Message.Submit submit, Operation.Acquire acquire, long nowNanos) {
        if (!acquire.shares().isEmpty()) {
            pendingAcquires.putIfAbsent(
                    new RequestId(submit.session(), submit.number()),
                    new PendingAcquire(acquire.shares().getFirst().name().kind(), nowNanos));
        }
    }

    Optional<PendingAcquire> takePendingAcquire(RequestId request) {
        return Optional.ofNullable(pendingAcquires.remove(request));
    }

    /** Notes that the loop cancels this request because of a limit. Returns false if too many are noted. */
    boolean markCancelled(RequestId request, OperationResult.RejectionReason limit, int max) {
        return cancelledRequests.size() < max && cancelledRequests.putIfAbsent(request, limit) == null;
    }

    /** Adds a reply. Returns whether it is the first since the last flush. */
    boolean addReply(Message.ServerReply reply) {
        if (reply instanceof Message.ResourceChanged(var resourceName)
                && !principal.isAllowed(Permission.INSPECT, resourceName)) {
            return false;
        }
        replies.add(
                reply instanceof Message.Result result && !cancelledRequests.isEmpty()
                        ? rejectedIfCancelled(result)
                        : reply);
        return replies.size() == 1;
    }

    /** The client of a cancelled request learns that it has exceeded a limit. */
    private Message.ServerReply rejectedIfCancelled(Message.Result result) {
        var limit = cancelledRequests.remove(new RequestId(result.session(), result.number()));
        return limit != null && result.result() instanceof OperationResult.Released
                ? new Message.Result(result.session(), result.number(), new OperationResult.Rejected(limit))
                : result;
    }

    void flushReplies() {
        var batch = replies;
        replies = new ArrayList<>();
        replyListener.onReplies(batch);
    }

    @Override
    public String toString() {
        return replyListener.toString();
    }
}

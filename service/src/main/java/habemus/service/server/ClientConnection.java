package habemus.service.server;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.protocol.NodeId;
import habemus.service.server.Principal.Permission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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
    private final Set<RequestId> cancelledRequests = new HashSet<>();
    private List<Message.ServerReply> replies = new ArrayList<>();
    private boolean disconnected;

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
                loop.counters().rejected.increment();
                return rejected;
            }
        }
        loop.submit(
                request instanceof Message.Submit submit
                        ? admit(admission, submit)
                        : new ServerEvent.RequestReceived(this, request));
        return Optional.empty();
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
        return admission.exceedsLimits(submit, loop.table())
                ? new ServerEvent.LimitExceeded(this, submit)
                : new ServerEvent.RequestReceived(this, submit);
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
    }

    /** Notes that the loop cancels this request because of a limit. Returns false if too many are noted. */
    boolean markCancelled(RequestId request, int max) {
        return cancelledRequests.size() < max && cancelledRequests.add(request);
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
        return cancelledRequests.remove(new RequestId(result.session(), result.number()))
                        && result.result() instanceof OperationResult.Released
                ? new Message.Result(
                        result.session(),
                        result.number(),
                        new OperationResult.Rejected(OperationResult.RejectionReason.LIMIT_EXCEEDED))
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

package habemus.service.server;

import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.protocol.NodeId;
import habemus.service.server.Principal.Permission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One who is served by the {@link LockServerLoop}, be it through a socket or from within. Requests are carried out in their
 * order.
 */
public final class ClientConnection implements AutoCloseable {

    /** Requests that may wait at the reception; then whoever says more waits himself. */
    private static final int MAX_QUEUED_REQUESTS = 1_024;

    private final LockServerLoop lockServerLoop;
    private final NodeId id;
    private final Principal principal;
    private final LockServerLoop.ReplyListener replyListener;
    private final Semaphore permits = new Semaphore(MAX_QUEUED_REQUESTS);
    private final AtomicBoolean closed = new AtomicBoolean();

    // what follows is only for the reception's thread
    private final Set<RequestId> cancelledRequests = new HashSet<>();
    private List<Message.ServerReply> serverReplies = new ArrayList<>();
    private boolean disconnected;

    ClientConnection(
            LockServerLoop lockServerLoop,
            NodeId number,
            Principal principal,
            LockServerLoop.ReplyListener replyListener) {
        this.lockServerLoop = lockServerLoop;
        this.id = number;
        this.principal = principal;
        this.replyListener = replyListener;
    }

    /**
     * Whatever comes of it is told to the caller. Waits while too much of this connection waits.
     *
     * @return why whoever says this is not served any more
     */
    public Optional<ClientFrame.ConnectionRejected> submit(Message.ClientRequest clientRequest) {
        var connectionRejected = enqueue(clientRequest);
        lockServerLoop.runPending();
        return connectionRejected;
    }

    /** The same, for one who has more to say, and then {@linkplain LockServerLoop#runPending sees} to it that it is heard. */
    Optional<ClientFrame.ConnectionRejected> enqueue(Message.ClientRequest clientRequest) {
        var admissionControl = lockServerLoop.admission();
        if (clientRequest instanceof Message.OpenSession openSession) {
            var connectionRejected = admissionControl.checkOpen(openSession, lockServerLoop.localSessions());
            if (connectionRejected.isPresent()) {
                lockServerLoop.counters().rejected.increment();
                return connectionRejected;
            }
        }
        if (!permits.tryAcquire()) {
            lockServerLoop.runPending();
            permits.acquireUninterruptibly();
        }
        lockServerLoop.enqueue(
                clientRequest instanceof Message.Submit submit
                        ? admit(admissionControl, submit)
                        : new ServerEvent.RequestReceived(this, clientRequest));
        return Optional.empty();
    }

    private ServerEvent admit(AdmissionControl admissionControl, Message.Submit submit) {
        var rejectionReason = admissionControl.checkSubmit(submit, principal);
        if (rejectionReason.isPresent()) {
            if (rejectionReason.get() == OperationResult.RejectionReason.FORBIDDEN) {
                lockServerLoop
                        .policy()
                        .reportDenied(
                                principal.name(),
                                replyListener.toString(),
                                submit.operation().toString());
            }
            var answer = new OperationResult.Rejected(rejectionReason.get());
            return new ServerEvent.RequestRejected(this, new Message.Result(submit.session(), submit.number(), answer));
        }
        return admissionControl.exceedsLimits(submit, lockServerLoop.table())
                ? new ServerEvent.LimitExceeded(this, submit)
                : new ServerEvent.RequestReceived(this, submit);
    }

    /** Its sessions live on, for a while. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            permits.release(Integer.MAX_VALUE / 2); // nobody waits for what is over
            lockServerLoop.submit(new ServerEvent.Disconnected(this));
        }
    }

    public Principal principal() {
        return principal;
    }

    NodeId id() {
        return id;
    }

    void releasePermit() {
        permits.release();
    }

    boolean isDisconnected() {
        return disconnected;
    }

    void markDisconnected() {
        disconnected = true;
    }

    /** That this claim is called off before it comes; false if too many are. */
    boolean markCancelled(RequestId requestId, int most) {
        return cancelledRequests.size() < most && cancelledRequests.add(requestId);
    }

    /** Whether these are the first words for it. */
    boolean addReply(Message.ServerReply serverReply) {
        if (serverReply instanceof Message.ResourceChanged(var resourceName)
                && !principal.isAllowed(Permission.INSPECT, resourceName)) {
            return false;
        }
        serverReplies.add(
                serverReply instanceof Message.Result result && !cancelledRequests.isEmpty()
                        ? rejectedIfCancelled(result)
                        : serverReply);
        return serverReplies.size() == 1;
    }

    /** Who was called off for want of room is told so. */
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
        var told = serverReplies;
        serverReplies = new ArrayList<>();
        replyListener.onReplies(told);
    }

    @Override
    public String toString() {
        return replyListener.toString();
    }
}

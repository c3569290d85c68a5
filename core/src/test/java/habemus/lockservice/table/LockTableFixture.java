package habemus.lockservice.table;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Holder;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.Waiter;
import java.time.Duration;
import java.util.List;

/** A lock table to which a test applies commands one by one. */
final class LockTableFixture {

    static final Duration LEASE = Duration.ofSeconds(10);

    private LockTable table = LockTable.EMPTY;
    private List<Notification> notification = List.of();
    private long time;

    LockTable table() {
        return table;
    }

    /** {@return the notifications of the last command} */
    List<Notification> notifications() {
        return notification;
    }

    List<Notification> apply(Command command) {
        var applied = table.apply(CommandBatch.of(++time, command));
        table = applied.table();
        notification = applied.notifications();
        return notification;
    }

    long open(String name) {
        return open(name, "");
    }

    long open(String name, String owner) {
        apply(new Command.OpenSession(name.hashCode(), new ClientInfo(name, "host", 1, owner), LEASE));
        return table.index();
    }

    OperationResult submit(long session, long number, Operation operation) {
        return submit(session, number, 0, operation);
    }

    /** {@return the immediate result of the request} */
    OperationResult submit(long session, long number, long acknowledgedUpTo, Operation operation) {
        apply(new Command.Submit(session, number, acknowledgedUpTo, operation));
        return results().stream()
                .filter(result -> result.session() == session && result.number() == number)
                .map(Notification.Result::result)
                .findFirst()
                .orElseThrow();
    }

    OperationResult acquire(long session, long number, ResourceShare... shares) {
        return submit(session, number, Operation.Acquire.of(shares));
    }

    OperationResult tryAcquire(long session, long number, ResourceShare... shares) {
        return submit(session, number, new Operation.Acquire(List.of(shares), false, 0));
    }

    OperationResult campaign(long session, long number, String election, int rank) {
        return submit(session, number, new Operation.Acquire(List.of(ResourceShare.leadership(election)), true, rank));
    }

    OperationResult release(long session, long number, long acquire) {
        return submit(session, number, new Operation.Release(acquire));
    }

    /** An operator revokes the current holders. */
    List<Notification> release(ResourceName name) {
        return administer(new Command.AdminAction.Release(name, table.index()));
    }

    List<Notification> administer(Command.AdminAction action) {
        return apply(new Command.AdminCommand(action, "olga", "host:1", "stuck"));
    }

    List<Notification> expire(long session) {
        return apply(new Command.ExpireSession(session, table.index()));
    }

    List<Notification.Result> results() {
        return notification.stream()
                .filter(Notification.Result.class::isInstance)
                .map(Notification.Result.class::cast)
                .toList();
    }

    /** {@return the requests granted by the last command} */
    List<RequestId> granted() {
        return results().stream()
                .filter(result -> result.result() instanceof OperationResult.Granted)
                .map(result -> new RequestId(result.session(), result.number()))
                .toList();
    }

    List<RequestId> holders(ResourceName name) {
        return table.holders(name).stream().map(Holder::request).toList();
    }

    List<RequestId> waiters(ResourceName name) {
        return table.waiters(name).stream().map(Waiter::request).toList();
    }

    boolean isEmpty() {
        return table.resources().isEmpty();
    }
}

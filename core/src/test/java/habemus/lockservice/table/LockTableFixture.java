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

/** A table that is led through commands one by one. */
final class LockTableFixture {

    static final Duration LEASE = Duration.ofSeconds(10);

    private LockTable lockTable = LockTable.EMPTY;
    private List<Notification> notification = List.of();
    private long time;

    LockTable table() {
        return lockTable;
    }

    /** Of the last command. */
    List<Notification> notifications() {
        return notification;
    }

    List<Notification> apply(Command command) {
        var applyResult = lockTable.apply(CommandBatch.of(++time, command));
        lockTable = applyResult.lockTable();
        notification = applyResult.notifications();
        return notification;
    }

    long open(String name) {
        apply(new Command.OpenSession(name.hashCode(), new ClientInfo(name, "host", 1), LEASE));
        return lockTable.index();
    }

    OperationResult submit(long session, long number, Operation operation) {
        return submit(session, number, 0, operation);
    }

    /** What is said to this request at once. */
    OperationResult submit(long session, long number, long settled, Operation operation) {
        apply(new Command.Submit(session, number, settled, operation));
        return results().stream()
                .filter(one -> one.session() == session && one.number() == number)
                .map(Notification.Result::result)
                .findFirst()
                .orElseThrow();
    }

    OperationResult acquire(long session, long number, ResourceShare... resourceShares) {
        return submit(session, number, Operation.Acquire.of(resourceShares));
    }

    OperationResult tryAcquire(long session, long number, ResourceShare... resourceShares) {
        return submit(session, number, new Operation.Acquire(List.of(resourceShares), false, 0));
    }

    OperationResult campaign(long session, long number, String election, int rank) {
        return submit(session, number, new Operation.Acquire(List.of(ResourceShare.leadership(election)), true, rank));
    }

    OperationResult release(long session, long number, long claim) {
        return submit(session, number, new Operation.Release(claim));
    }

    /** By an operator who means whoever holds it now. */
    List<Notification> release(ResourceName resourceName) {
        return administer(new Command.AdminAction.Release(resourceName, lockTable.index()));
    }

    List<Notification> administer(Command.AdminAction adminAction) {
        return apply(new Command.AdminCommand(adminAction, "olga", "stuck"));
    }

    List<Notification> expire(long session) {
        return apply(new Command.ExpireSession(session, lockTable.index()));
    }

    List<Notification.Result> results() {
        return notification.stream()
                .filter(Notification.Result.class::isInstance)
                .map(Notification.Result.class::cast)
                .toList();
    }

    /** Who was let in by the last command. */
    List<RequestId> granted() {
        return results().stream()
                .filter(one -> one.result() instanceof OperationResult.Granted)
                .map(one -> new RequestId(one.session(), one.number()))
                .toList();
    }

    List<RequestId> holders(ResourceName resourceName) {
        return lockTable.holders(resourceName).stream().map(Holder::request).toList();
    }

    List<RequestId> waiters(ResourceName resourceName) {
        return lockTable.waiters(resourceName).stream().map(Waiter::request).toList();
    }

    boolean isEmpty() {
        return lockTable.resources().isEmpty();
    }
}

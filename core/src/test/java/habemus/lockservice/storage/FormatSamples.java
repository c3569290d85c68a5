package habemus.lockservice.storage;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Deadlock;
import habemus.lockservice.Holder;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.PastHold;
import habemus.lockservice.Quotas;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.ResourceStatus;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.TicketId;
import habemus.lockservice.Usage;
import habemus.lockservice.Waiter;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Samples of every record type that is stored or sent. */
final class FormatSamples {

    private static final ClientInfo CLIENT = new ClientInfo("né", "host", 4_711, "own", "billing");
    private static final Quotas QUOTAS = new Quotas(new Usage(1, 2, 3, 400), new Usage(5, 6, 7, 800));
    private static final RequestId REQUEST = new RequestId(17, 3);
    private static final Holder HOLDER = new Holder(REQUEST, CLIENT, 1, 300, 1_700_000_000_000L);

    private static final Command.RecordDenial DENIAL =
            new Command.RecordDenial("billing", "host:1", "acquire lock a", 300);

    private FormatSamples() {}

    static List<Operation> operations() {
        return List.of(
                Operation.Acquire.of(
                        ResourceShare.exclusive("a"), ResourceShare.shared("b"), ResourceShare.permits("s", 2, 3)),
                new Operation.Acquire(List.of(ResourceShare.leadership("e")), false, -1),
                new Operation.Release(300),
                new Operation.Transfer(3, "other"),
                new Operation.Close(),
                new Operation.Release(300, 299),
                new Operation.Abandon(-7));
    }

    private static List<SessionOrigin> origins() {
        return List.of(
                new SessionOrigin.Successor(17, -5, List.of(3L)),
                new SessionOrigin.TicketRequest(new TicketId(-1, 300), -7, 299));
    }

    static List<Command.AdminAction> actions() {
        return List.of(
                new Command.AdminAction.Release(ResourceName.lock("a"), 300),
                new Command.AdminAction.Expire(17),
                new Command.AdminAction.Transfer("e", 300, "other"),
                new Command.AdminAction.Performed("backup", "300 bytes"));
    }

    static List<OperationResult> results() {
        return List.of(
                new OperationResult.Waiting(),
                new OperationResult.Granted(300),
                new OperationResult.Busy(List.of(HOLDER)),
                new OperationResult.Released(),
                new OperationResult.Cancelled(),
                new OperationResult.Revoked("olga", "stuck"),
                new OperationResult.Rejected(OperationResult.RejectionReason.NO_CANDIDATE),
                new OperationResult.Closed());
    }

    static List<CommandBatch> entries() {
        var commands = new ArrayList<Command>(List.of(
                new Command.OpenSession(-5, CLIENT, Duration.ofSeconds(10)),
                new Command.RenewSessions(List.of(new Command.Renewal(17, 1), new Command.Renewal(18, 200))),
                new Command.ExpireSession(17, 299),
                new Command.SetQuotas(QUOTAS),
                DENIAL));
        origins().forEach(origin -> commands.add(new Command.OpenSession(-5, CLIENT, Duration.ofSeconds(10), origin)));
        operations().forEach(operation -> commands.add(new Command.Submit(17, 3, 2, operation)));
        actions().forEach(action -> commands.add(new Command.AdminCommand(action, "olga", "host:1", "stuck")));
        return commands.stream()
                .map(command -> CommandBatch.of(1_700_000_000_000L, command))
                .toList();
    }

    static List<ClientFrame.ToService> toService() {
        return List.of(
                new ClientFrame.Hello(1, "token", "0123456789abcdef"),
                new ClientFrame.Request(new Message.OpenSession(-5, CLIENT, Duration.ofSeconds(10))),
                new ClientFrame.Request(new Message.Attach(17, -5)),
                new ClientFrame.Request(new Message.Renew(17, 4)),
                new ClientFrame.Request(
                        new Message.Submit(17, 3, 2, operations().getFirst())),
                new ClientFrame.Request(new Message.Watch()),
                new ClientFrame.Describe(1, ResourceName.semaphore("s")),
                new ClientFrame.ListDeadlocks(2));
    }

    static List<ClientFrame.ToClient> toClient() {
        var pastHold = new PastHold(ResourceName.lock("a"), CLIENT, 300, 1, 2, PastHold.EndReason.EXPIRED);
        var waiter = new Waiter(REQUEST, CLIENT, 1, 0, 2);
        var wait = new Deadlock.Wait(CLIENT, REQUEST, ResourceName.lock("a"), CLIENT, new RequestId(18, 1));
        var frames = new ArrayList<ClientFrame.ToClient>(List.of(
                new ClientFrame.Welcome(1, "0123456789abcdef", "n1", List.of("a:7600", "b:7600"), true),
                new ClientFrame.Reply(new Message.SessionOpened(-5, 17)),
                new ClientFrame.Reply(
                        new Message.SessionRefused(-5, OperationResult.RejectionReason.PRINCIPAL_SESSIONS_FULL)),
                new ClientFrame.Reply(new Message.Renewed(17, 4)),
                new ClientFrame.Reply(new Message.SessionExpired(17)),
                new ClientFrame.Reply(new Message.ResourceChanged(ResourceName.election("e"))),
                new ClientFrame.Description(
                        1,
                        new ResourceStatus(
                                ResourceName.lock("a"), 3, List.of(HOLDER), List.of(waiter), List.of(pastHold))),
                new ClientFrame.DeadlockList(2, List.of(new Deadlock(List.of(wait)))),
                new ClientFrame.ConnectionRejected("code", "message", "hint")));
        results().forEach(result -> frames.add(new ClientFrame.Reply(new Message.Result(17, 3, result))));
        return List.copyOf(frames);
    }

    /** A table with holders, waiters, every kind of stored result, history and audit. */
    static LockTable table() {
        var table = LockTable.EMPTY;
        for (int i = 1; i <= 3; i++) {
            table = apply(table, new Command.OpenSession(i, new ClientInfo("p" + i, "host", i), Duration.ofSeconds(i)));
        }
        table = submit(
                table, 1, 1, Operation.Acquire.of(ResourceShare.exclusive("a"), ResourceShare.permits("s", 1, 3)));
        table = submit(table, 2, 1, Operation.Acquire.of(ResourceShare.shared("a"), ResourceShare.permits("s", 2, 3)));
        table = submit(table, 3, 1, new Operation.Acquire(List.of(ResourceShare.exclusive("a")), false, 0));
        table = submit(table, 3, 2, new Operation.Release(9));
        table = submit(table, 3, 3, Operation.Acquire.of());
        table = submit(table, 1, 2, new Operation.Acquire(List.of(ResourceShare.leadership("e")), true, 0));
        table = submit(table, 2, 2, new Operation.Acquire(List.of(ResourceShare.leadership("e")), true, 7));
        table = submit(table, 3, 4, new Operation.Acquire(List.of(ResourceShare.leadership("e")), true, 7));
        table = submit(table, 1, 3, new Operation.Transfer(2, "p3"));
        table = apply(table, new Command.RenewSessions(List.of(new Command.Renewal(2, 5))));
        table = apply(
                table,
                new Command.AdminCommand(
                        new Command.AdminAction.Release(ResourceName.lock("a"), 13), "olga", "host:1", "stuck"));
        table = apply(table, DENIAL);
        for (long ticket = 1; ticket <= 2; ticket++) {
            var origin = new SessionOrigin.TicketRequest(new TicketId(0, ticket), ticket, 0);
            table = apply(table, new Command.OpenSession(ticket, CLIENT, Duration.ofSeconds(1), origin));
        }
        table = submit(table, table.index(), 1, new Operation.Close());
        table = apply(table, new Command.Submit(1, 4, 1, Operation.Acquire.of(ResourceShare.exclusive("a"))));
        return apply(table, new Command.SetQuotas(QUOTAS));
    }

    private static LockTable submit(LockTable table, long session, long number, Operation operation) {
        return apply(table, new Command.Submit(session, number, 0, operation));
    }

    static LockTable apply(LockTable table, Command command) {
        return table.apply(CommandBatch.of(1_700_000_000_000L + table.index(), command))
                .table();
    }
}

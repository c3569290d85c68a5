package habemus.cli.exec;

import com.google.gson.JsonObject;
import habemus.cli.admin.ServiceClient;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.Terminal;
import habemus.harness.cluster.NodeHttpClient;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.ParseResult;

/**
 * Runs a child process while this process holds a lock or leads an election. Acquires a ticket, renews its lease, and
 * stops the child before the lease can expire at the service.
 */
final class GuardedCommand {

    private static final String SECTION = "Options:";
    /** The time for a reply, beyond the time that the node may wait. */
    private static final Duration REPLY_MARGIN = Duration.ofSeconds(5);
    /** The time for a reply after Ctrl-C. */
    private static final Duration SHUTDOWN_REPLY_TIMEOUT = Duration.ofSeconds(1);

    /** After the --timeout, for the reply that says how it ended. */
    private static final Duration TIMEOUT_MARGIN = Duration.ofSeconds(1);

    /** Passed to the child: a command within a command has the same owner. */
    private static final String OWNER_VARIABLE = "HABEMUS_OWNER";

    private static final Duration MIN_LEASE = Duration.ofSeconds(1);
    private static final Duration MAX_WAIT = Duration.ofMinutes(10); // limit of the HTTP API, for leases too
    private static final int SAFETY_MARGIN_DIVISOR = 10; // the child is stopped a tenth of the lease early
    private static final int RENEWALS_PER_LEASE = 5;
    private static final int NOT_FOUND = 404; // the node does not know the ticket
    private static final int CONFLICT = 409;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int NO_REPLY = 0;
    private static final int MAX_CANCEL_ATTEMPTS = 20;
    private static final Duration CANCEL_INTERVAL = Duration.ofMillis(50);

    private final LockTarget lockTarget;
    private final Terminal terminal;
    private final ServiceClient serviceClient;
    private final List<String> command;
    private final Optional<Duration> timeout;
    private final long startedAtNanos = System.nanoTime();
    private final Duration lease;
    private final Duration grace;
    private final String client;
    private volatile String ticketId = randomId();
    private volatile String fence = ""; // of the grant
    private final String owner;
    private final CompletableFuture<String> lost = new CompletableFuture<>(); // with the reason
    private volatile boolean awaitingReply;
    private volatile boolean finished;
    private boolean isProduction;

    /** @param targetFactory makes the target of the NAME argument */
    GuardedCommand(ParseResult parsed, Function<String, LockTarget> targetFactory, String example, Terminal terminal) {
        this.terminal = terminal;
        var arguments = ParsedOptions.arguments(parsed);
        if (arguments.size() < 2) {
            throw CommandException.usage((arguments.isEmpty() ? "NAME" : "COMMAND") + " is missing", example);
        }
        lockTarget = targetFactory.apply(arguments.getFirst());
        command = arguments.subList(1, arguments.size());
        timeout = ParsedOptions.find(parsed, "--timeout");
        lease = ParsedOptions.get(parsed, "--lease");
        if (lease.compareTo(MIN_LEASE) < 0 || lease.compareTo(MAX_WAIT) > 0) {
            throw CommandException.usage(
                    "--lease must be from 1s to 10m, was " + lease.toMillis() + " ms", "write --lease 10s");
        }
        grace = ParsedOptions.<Duration>find(parsed, "--grace").orElse(lease.dividedBy(4));
        if (grace.compareTo(lease.dividedBy(2)) > 0) {
            throw CommandException.usage(
                    "--grace must be at most half of the lease, was " + grace.toMillis() + " ms",
                    "use a longer --lease");
        }
        client = ParsedOptions.text(parsed, "--client")
                .orElse(System.getProperty("user.name") + "/"
                        + ProcessHandle.current().pid());
        owner = Optional.ofNullable(System.getenv(OWNER_VARIABLE))
                .filter(outer -> !outer.isBlank())
                .orElseGet(GuardedCommand::randomId);
        serviceClient = ServiceClient.of(parsed);
    }

    private static String randomId() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    static CommandSyntax syntax(Subcommand command) {
        return ServiceClient.addOptions(
                        new CommandSyntax(command, "NAME [options] -- COMMAND…").positionals("NAME", true))
                .value(
                        SECTION,
                        "--timeout",
                        "TIME",
                        DurationOptions.duration(),
                        "maximum time to wait (default: unlimited)")
                .value(
                        SECTION,
                        "--lease",
                        "TIME",
                        DurationOptions.duration().withDefault("10s"),
                        "time without a renewal after which the lock expires")
                .value(
                        SECTION,
                        "--grace",
                        "TIME",
                        DurationOptions.duration(),
                        "time from TERM to KILL when the command is stopped (default: a quarter of the lease)")
                .value(SECTION, "--client", "NAME", "name of this client in lists and logs (default: user/pid)")
                .helpOption(SECTION);
    }

    /** @return the exit code of the command */
    int run() {
        var worker = Thread.currentThread();
        try (var interrupt = new InterruptSignal(() -> interrupt(worker))) {
            isProduction = serviceClient.discoverNodes(timeout.orElse(lease));
            if (!isProduction && lockTarget.productionOnly()) {
                throw CommandException.usage(
                        "classic algorithms support only exclusive locks and candidates without a rank",
                        "use the production service: habemus serve without --algorithm and --election");
            }
            var ticket = acquire();
            if (ticket.isEmpty()) {
                return ExitCode.INTERRUPTED;
            }
            fence = ticket.get().text(lockTarget.fenceField());
            long until = renewOnce(lease).orElseThrow(() -> {
                release(REPLY_MARGIN);
                return CommandException.lockLost(
                        lockTarget.label() + lockTarget.wasOrWere() + " lost before the command started", "try again");
            });
            return supervise(start(), until, interrupt);
        }
    }

    /** Cancels a waiting request, also one that has not reached the node yet. */
    private void interrupt(Thread worker) {
        lost.complete("interrupted");
        int status = NOT_FOUND;
        for (int tries = 0; awaitingReply && status == NOT_FOUND && tries < MAX_CANCEL_ATTEMPTS; tries++) {
            status = release(SHUTDOWN_REPLY_TIMEOUT);
            sleep(CANCEL_INTERVAL);
        }
        if (awaitingReply && status == NO_REPLY) {
            worker.interrupt();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // neither future fails
    private int supervise(ChildProcess childProcess, long until, InterruptSignal interrupt) {
        Thread.ofVirtual().start(() -> renewLoop(until));
        Thread.ofVirtual().start(this::pollLoop);
        childProcess.ended().thenRun(() -> finished = true);
        CompletableFuture.anyOf(childProcess.ended(), lost).join();
        boolean ended = childProcess.ended().isDone();
        int code = ended ? childProcess.ended().join() : childProcess.stop();
        finished = true;
        childProcess.killLeftovers();
        release(REPLY_MARGIN);
        if (ended || interrupt.isInterrupted()) {
            return code;
        }
        throw CommandException.lockLost(
                lockTarget.label() + lockTarget.wasOrWere() + " lost: " + lost.join() + "; the command was stopped",
                "its last action may be incomplete; the fence protects the resource");
    }

    private ChildProcess start() {
        var environment = new HashMap<>(lockTarget.environment());
        environment.put(lockTarget.fenceVariable(), fence);
        environment.put(OWNER_VARIABLE, owner);
        try {
            return ChildProcess.start(command, environment, grace);
        } catch (CommandException failed) {
            release(REPLY_MARGIN);
            throw failed;
        }
    }

    /** Waits for the grant, with several requests if the timeout exceeds the limit of one. Empty if interrupted. */
    private Optional<NodeHttpClient.Reply> acquire() {
        long end = timeout.map(time -> startedAtNanos + time.toNanos()).orElse(Long.MAX_VALUE);
        while (true) {
            var left = timeout.isEmpty() ? MAX_WAIT : Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
            var wait = left.compareTo(MAX_WAIT) < 0 ? left : MAX_WAIT;
            var reply = requestTicket(wait);
            if (reply.isEmpty() || reply.get().isSuccess()) {
                return reply;
            }
            if (reply.get().status() != CONFLICT || reply.get().error("code").equals("size-mismatch")) {
                throw toException(reply.get());
            }
            if (timeout.isPresent() && System.nanoTime() - end >= 0) {
                throw CommandException.notAcquired(
                        "could not acquire " + lockTarget.label() + " within " + DurationOptions.format(timeout.get())
                                + describeHolder(),
                        "habemus " + lockTarget.listCommand() + " lists the holders");
            }
            ticketId = randomId(); // the last one has ended
        }
    }

    private String describeHolder() {
        return lockTarget
                .statusPath()
                .flatMap(serviceClient::find)
                .filter(status -> !status.get("holder").isJsonNull())
                .map(status -> " (held by '" + status.get("holder").getAsString() + "' since "
                        + status.get("since").getAsString() + ")")
                .orElse("");
    }

    /** The reply of the node; empty if interrupted. */
    private Optional<NodeHttpClient.Reply> requestTicket(Duration wait) {
        awaitingReply = true; // before checking lost: interrupt() sets lost before checking awaitingReply
        try {
            if (!lost.isDone()) {
                var margin = timeout.isPresent() ? TIMEOUT_MARGIN : REPLY_MARGIN;
                var reply = serviceClient.postAndWait(lockTarget.acquirePath(), acquireBody(wait), wait.plus(margin));
                awaitingReply = false;
                if (!lost.isDone()) {
                    return Optional.of(reply);
                }
                release(SHUTDOWN_REPLY_TIMEOUT); // the grant may have crossed the interrupt
            }
        } catch (IOException unreachable) {
            if (!lost.isDone()) {
                throw serviceClient.unreachable();
            }
        }
        return Optional.empty();
    }

    private static CommandException toException(NodeHttpClient.Reply reply) {
        return reply.status() < 429
                ? CommandException.usage(reply.error("message"), reply.error("hint"))
                : CommandException.failure(reply.error("message"), reply.error("hint"));
    }

    private JsonObject acquireBody(Duration wait) {
        var body = lockTarget.body().deepCopy();
        body.addProperty("client", client);
        if (isProduction) {
            body.addProperty("owner", owner);
        }
        body.addProperty("wait", Math.max(1, wait.toMillis()));
        body.addProperty("lease", lease.toMillis());
        body.addProperty("ticket", ticketId);
        return body;
    }

    /** The deadline of the child without a further renewal, counted from before the request. Empty if not renewed. */
    private Optional<Long> renewOnce(Duration replyTimeout) {
        long sentAt = System.nanoTime();
        try {
            var body = new JsonObject();
            body.addProperty("lease", lease.toMillis());
            var reply = serviceClient.post(ticketPath() + "/renew", body, replyTimeout);
            if (reply.isSuccess()) {
                return Optional.of(sentAt
                        + lease.minus(lease.dividedBy(SAFETY_MARGIN_DIVISOR))
                                .minus(grace)
                                .toNanos());
            }
            if (reply.status() != SERVICE_UNAVAILABLE) {
                lost.complete(reply.error("message"));
            }
        } catch (IOException noReply) {
            terminal.err().println("habemus: no reply from the node; retrying");
            terminal.err().flush();
        }
        return Optional.empty();
    }

    /** Renews several times a lease. Without a reply the lock counts as lost before the service can grant it again. */
    private void renewLoop(long first) {
        long until = first;
        while (!finished && !lost.isDone()) {
            sleep(untilDeadline(lease.dividedBy(RENEWALS_PER_LEASE), until));
            if (System.nanoTime() - until >= 0) {
                lost.complete("no node is reachable, and the lease is about to expire");
            } else if (!finished) {
                until = renewOnce(untilDeadline(lease.dividedBy(RENEWALS_PER_LEASE), until))
                        .orElse(until);
            }
        }
    }

    private static Duration untilDeadline(Duration time, long until) {
        var left = Duration.ofNanos(Math.max(1_000_000, until - System.nanoTime()));
        return time.compareTo(left) < 0 ? time : left;
    }

    /** Long-polls the ticket, so that a revocation is noticed at once. */
    private void pollLoop() {
        var wait = lease.toMillis();
        while (!finished && !lost.isDone()) {
            try {
                var reply = serviceClient.get(ticketPath() + "?wait=" + wait + "ms", lease.plus(REPLY_MARGIN));
                var state = reply.isSuccess() ? reply.text("state") : reply.error("code");
                if (reply.status() == SERVICE_UNAVAILABLE) {
                    sleep(lease.dividedBy(SAFETY_MARGIN_DIVISOR)); // no majority: the state is unknown
                } else if (!state.equals("held") && !finished) {
                    lost.complete(describeLoss(state));
                }
            } catch (IOException noReply) {
                sleep(lease.dividedBy(SAFETY_MARGIN_DIVISOR));
            }
        }
    }

    private static String describeLoss(String state) {
        return switch (state) {
            case "expired" -> "its lease expired";
            case "stopping" -> "the node is stopping";
            case "lost" -> "it was revoked";
            default -> "the node does not know the ticket";
        };
    }

    private static void sleep(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Releases the ticket; if that fails, its lease expires. Returns the HTTP status. */
    private int release(Duration replyTimeout) {
        var body = new JsonObject();
        if (!fence.isEmpty()) {
            body.addProperty("fence", Long.parseLong(fence));
        }
        try {
            return serviceClient
                    .post(ticketPath() + lockTarget.releasePath(), body, replyTimeout)
                    .status();
        } catch (IOException unreachable) {
            terminal.err().println("habemus: " + lockTarget.label() + " could not be released; its lease will expire");
            return NO_REPLY;
        }
    }

    private String ticketPath() {
        return "/tickets/" + ticketId;
    }
}

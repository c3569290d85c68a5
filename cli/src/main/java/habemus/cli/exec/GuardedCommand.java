package habemus.cli.exec;

import com.google.gson.JsonObject;
import habemus.cli.admin.NodeQuery;
import habemus.cli.admin.ServiceClient;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.Terminal;
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

/** A command under a lock, or while leader: takes a ticket, renews its lease, and stops the command without one. */
final class GuardedCommand {

    private static final String SECTION = "Options:";
    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(10);
    private static final Duration REPLY_MARGIN = Duration.ofSeconds(5); // for an answer, beyond what it may take
    private static final Duration SHUTDOWN_REPLY_TIMEOUT =
            Duration.ofSeconds(1); // the same, when somebody waits for this to end
    private static final Duration MAX_WAIT = Duration.ofMinutes(10); // that the door lets anybody wait
    private static final int SAFETY_MARGIN_DIVISOR = 10; // of a lease: as much is kept back
    private static final int RENEWALS_PER_LEASE = 5; // renewals a lease
    private static final int NOT_FOUND = 404; // what the door answers if it has no such ticket
    private static final int NO_REPLY = 0; // it does not answer
    private static final int MAX_CANCEL_ATTEMPTS = 20; // to leave the line
    private static final Duration CANCEL_INTERVAL = Duration.ofMillis(50);

    private final LockTarget lockTarget;
    private final Terminal terminal;
    private final ServiceClient serviceClient;
    private final List<String> command;
    private final Optional<Duration> timeout;
    private final Duration lease;
    private final Duration grace;
    private final String client;
    private final String ticketId = UUID.randomUUID().toString().replace("-", ""); // of the ticket
    private final CompletableFuture<String> lost = new CompletableFuture<>(); // why
    private volatile boolean awaitingReply; // for an answer of the door
    private volatile boolean finished;

    /** @param targetFactory the stake, by its name */
    GuardedCommand(ParseResult parsed, Function<String, LockTarget> targetFactory, String example, Terminal terminal) {
        this.terminal = terminal;
        var words = NodeQuery.arguments(parsed);
        if (words.size() < 2) {
            throw CommandException.usage(
                    words.isEmpty() ? "there is no name" : "there is no command", "write it as in " + example);
        }
        lockTarget = targetFactory.apply(words.getFirst());
        command = words.subList(1, words.size());
        timeout = DurationOptions.duration(parsed, "--timeout");
        lease = DurationOptions.duration(parsed, "--lease").orElse(DEFAULT_LEASE);
        if (lease.compareTo(Duration.ofSeconds(1)) < 0 || lease.compareTo(MAX_WAIT) > 0) {
            throw CommandException.usage("--lease is out of range", "it is from 1s to 10m");
        }
        grace = DurationOptions.duration(parsed, "--grace").orElse(lease.dividedBy(4));
        if (grace.compareTo(lease.dividedBy(2)) > 0) {
            throw CommandException.usage("--grace is longer than half of the lease", "give a longer --lease");
        }
        client = OutputOptions.text(parsed, "--client")
                .orElse(System.getProperty("user.name") + "/"
                        + ProcessHandle.current().pid());
        serviceClient = ServiceClient.of(parsed);
    }

    static CommandSyntax syntax(Command command) {
        return ServiceClient.addOptions(
                        new CommandSyntax(command, "NAME [options] -- COMMAND…").positionals("NAME", true))
                .value(SECTION, "--timeout", "TIME", "how long to wait at most (standard: for ever)")
                .value(
                        SECTION,
                        "--lease",
                        "TIME",
                        "after how long without a sign of life it is given away (standard: 10s)")
                .value(
                        SECTION,
                        "--grace",
                        "TIME",
                        "how long the command has from TERM to KILL (standard: a quarter of the lease)")
                .value(SECTION, "--client", "NAME", "who this is, for those who look (standard: user/pid)")
                .helpOption(SECTION);
    }

    /** @return the exit code of the command */
    int run() {
        var worker = Thread.currentThread();
        try (var interruptSignal = new InterruptSignal(() -> interrupt(worker))) {
            if (!serviceClient.discoverNodes() && lockTarget.productionOnly()) {
                throw CommandException.usage(
                        "algorithms of the catalogue know nothing but exclusive locks and plain candidates",
                        "only the production service does: habemus serve without --algorithm and --election");
            }
            var ticket = acquire();
            if (ticket.isEmpty()) {
                return ExitCode.INTERRUPTED;
            }
            long until = renewOnce(lease).orElseThrow(() -> {
                release(REPLY_MARGIN);
                return CommandException.lockLost(
                        lockTarget.label() + lockTarget.wasOrWere() + " lost at once", "try again");
            });
            return supervise(start(ticket.get()), until, interruptSignal);
        }
    }

    /** Who still waits leaves the line, be it that the wish is only on its way there. */
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

    @SuppressWarnings("FutureReturnValueIgnored") // nothing of it can fail
    private int supervise(ChildProcess childProcess, long until, InterruptSignal interruptSignal) {
        Thread.ofVirtual().start(() -> renewLoop(until));
        Thread.ofVirtual().start(this::pollLoop);
        childProcess.ended().thenRun(() -> finished = true);
        CompletableFuture.anyOf(childProcess.ended(), lost).join();
        boolean ended = childProcess.ended().isDone();
        int code = ended ? childProcess.ended().join() : childProcess.stop();
        finished = true;
        childProcess.killLeftovers();
        release(REPLY_MARGIN);
        if (ended || interruptSignal.isInterrupted()) {
            return code;
        }
        throw CommandException.lockLost(
                lockTarget.label() + lockTarget.wasOrWere() + " lost: " + lost.join() + "; the command was stopped",
                "whatever it did last may be half done");
    }

    private ChildProcess start(ServiceClient.Reply ticket) {
        var environment = new HashMap<>(lockTarget.environment());
        environment.put(lockTarget.fenceVariable(), ticket.text(lockTarget.fenceField()));
        try {
            return ChildProcess.start(command, environment, grace);
        } catch (CommandException refused) {
            release(REPLY_MARGIN);
            throw refused;
        }
    }

    /** Stands in line, again if the door sends it away before its time; nothing if it was interrupted. */
    private Optional<ServiceClient.Reply> acquire() {
        long end = timeout.map(time -> System.nanoTime() + time.toNanos()).orElse(Long.MAX_VALUE);
        while (true) {
            var left = timeout.isEmpty() ? MAX_WAIT : Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
            var wait = left.compareTo(MAX_WAIT) < 0 ? left : MAX_WAIT;
            var reply = requestTicket(wait);
            if (reply.isEmpty() || reply.get().isSuccess()) {
                return reply;
            }
            if (reply.get().status() != 409 || reply.get().error("code").equals("other-size")) {
                throw toException(reply.get());
            }
            if (timeout.isPresent() && System.nanoTime() - end >= 0) {
                throw CommandException.notAcquired(
                        lockTarget.label() + lockTarget.wasOrWere() + " not to be had in time",
                        "habemus " + lockTarget.listCommand() + " tells who has it");
            }
        }
    }

    /** What the door answers; nothing if this is interrupted. */
    private Optional<ServiceClient.Reply> requestTicket(Duration wait) {
        awaitingReply = true; // and only then it looks whether it was interrupted, which goes the other way round
        try {
            if (!lost.isDone()) {
                var reply =
                        serviceClient.postAndWait(lockTarget.acquirePath(), acquireBody(wait), wait.plus(REPLY_MARGIN));
                awaitingReply = false;
                if (!lost.isDone()) {
                    return Optional.of(reply);
                }
                release(SHUTDOWN_REPLY_TIMEOUT); // it may have been granted just then
            }
        } catch (IOException unreachable) {
            if (!lost.isDone()) {
                throw serviceClient.unreachable();
            }
        }
        return Optional.empty();
    }

    private static CommandException toException(ServiceClient.Reply reply) {
        return reply.status() < 429
                ? CommandException.usage(reply.error("message"), reply.error("hint"))
                : CommandException.failure(reply.error("message"), reply.error("hint"));
    }

    private JsonObject acquireBody(Duration wait) {
        var wish = lockTarget.body().deepCopy();
        wish.addProperty("client", client);
        wish.addProperty("wait", Math.max(1, wait.toMillis()));
        wish.addProperty("lease", lease.toMillis());
        wish.addProperty("ticket", ticketId);
        return wish;
    }

    /** Until when the command may run if nothing more is heard: measured from before the node was asked. */
    private Optional<Long> renewOnce(Duration patience) {
        long asked = System.nanoTime();
        try {
            var body = new JsonObject();
            body.addProperty("lease", lease.toMillis());
            var reply = serviceClient.post(ticketPath() + "/renew", body, patience);
            if (reply.isSuccess()) {
                return Optional.of(asked
                        + lease.minus(lease.dividedBy(SAFETY_MARGIN_DIVISOR))
                                .minus(grace)
                                .toNanos());
            }
            if (reply.status() != 503) {
                lost.complete(reply.error("message"));
            }
        } catch (IOException silent) {
            terminal.err().println("habemus: no answer from the node; trying again");
            terminal.err().flush();
        }
        return Optional.empty();
    }

    /** Renews early enough to try again; if nobody answers, it is lost before others can have it. */
    private void renewLoop(long first) {
        long until = first;
        while (!finished && !lost.isDone()) {
            sleep(untilDeadline(lease.dividedBy(RENEWALS_PER_LEASE), until));
            if (System.nanoTime() - until >= 0) {
                lost.complete("the node cannot be reached, and the lease is about to run out");
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

    /** Hears at once if it is taken away. */
    private void pollLoop() {
        var wait = lease.toMillis();
        while (!finished && !lost.isDone()) {
            try {
                var reply = serviceClient.get(ticketPath() + "?wait=" + wait, lease.plus(REPLY_MARGIN));
                var state = reply.isSuccess() ? reply.text("state") : reply.error("code");
                if (reply.status() == 503) {
                    sleep(lease.dividedBy(
                            SAFETY_MARGIN_DIVISOR)); // no majority of the nodes: there is nothing to be known
                } else if (!state.equals("held") && !finished) {
                    lost.complete(describeLoss(state));
                }
            } catch (IOException silent) {
                sleep(lease.dividedBy(SAFETY_MARGIN_DIVISOR));
            }
        }
    }

    private static String describeLoss(String state) {
        return switch (state) {
            case "expired" -> "its lease ran out";
            case "stopping" -> "the node is about to stop";
            case "lost" -> "it was taken back";
            default -> "the node knows nothing of it any more";
        };
    }

    private static void sleep(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    /** If that fails, its lease will run out. Tells the status that was answered. */
    private int release(Duration patience) {
        try {
            return serviceClient
                    .post(ticketPath() + lockTarget.releasePath(), new JsonObject(), patience)
                    .status();
        } catch (IOException unreachable) {
            terminal.err()
                    .println("habemus: " + lockTarget.label() + " could not be given back: its lease will run out");
            return NO_REPLY;
        }
    }

    private String ticketPath() {
        return "/tickets/" + ticketId;
    }
}

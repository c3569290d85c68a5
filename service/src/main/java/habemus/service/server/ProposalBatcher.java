package habemus.service.server;

import habemus.concurrent.EventLoop;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.storage.StorageFormat;
import habemus.service.log.IndeterminateOutcomeException;
import habemus.service.log.ProposalRejectedException;
import habemus.service.log.ReplicatedLog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects commands and proposes each batch as one log entry. Never waits. If too many commands are in flight, it drops
 * new ones: their clients send them again. Used on the event loop only.
 *
 * <p>If a proposal was lost with its leader, or may have been, the batcher proposes its client requests a second time,
 * which saves the client its timeout. If the first proposal was committed after all, that changes nothing, except that
 * a second session may open, which holds nothing and expires.
 */
final class ProposalBatcher {

    private static final Logger LOG = LoggerFactory.getLogger(ProposalBatcher.class);

    private static final int MAX_COMMANDS_PER_ENTRY = 1_000;

    private static final int MAX_BYTES_PER_ENTRY = 256 * 1_024;

    private static final int MAX_COMMANDS_IN_FLIGHT = 100_000;

    /** While more are in flight, clients wait for their turn: in the log, no command overtakes another. */
    private static final int BUSY_COMMANDS_IN_FLIGHT = 1_024;

    /** If the log commits nothing for this long, clients are served nevertheless: they may ask for something else. */
    private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(1);

    /** How long lazy commands wait at most for an urgent one to join. */
    private static final Duration LAZY_PROPOSAL_DELAY = Duration.ofMillis(5);

    private final ReplicatedLog log;
    private final EventLoop eventLoop;
    private final InstantSource wallClock;
    private final ServerCounters counters;
    private int inFlight;
    private long lastProgressNanos; // when the last proposal ended, or the first one began
    private List<Command> batch = new ArrayList<>();
    private CompletableFuture<Void> outcome = new CompletableFuture<>(); // of the batch
    private int batchBytes;
    private boolean isUrgent; // whether the batch has an urgent command
    private boolean isFlushScheduled;

    ProposalBatcher(ReplicatedLog log, LockServerLoop.Environment environment, ServerCounters counters) {
        this.log = log;
        eventLoop = environment.eventLoop();
        wallClock = environment.wallClock();
        this.counters = counters;
    }

    /** Adds an urgent command. The future completes or fails as the proposal does. */
    CompletableFuture<Void> add(Command command) {
        append(command);
        isUrgent = true;
        return outcome;
    }

    /**
     * Adds a command whose client cannot be granted anything yet, such as an acquire that joins a queue. It is proposed
     * with the next urgent command, or a little later. So a contended lock needs one log entry per handover, not two.
     */
    void addLazily(Command command) {
        append(command);
        if (!isFlushScheduled) {
            isFlushScheduled = true;
            eventLoop.schedule(LAZY_PROPOSAL_DELAY, this::flushLazy);
        }
    }

    private void flushLazy() {
        isFlushScheduled = false;
        flush();
    }

    boolean isBusy() {
        return inFlight > BUSY_COMMANDS_IN_FLIGHT && eventLoop.nanoTime() - lastProgressNanos < BUSY_TIMEOUT.toNanos();
    }

    private void append(Command command) {
        int commandBytes = estimateBytes(command);
        if (batch.size() == MAX_COMMANDS_PER_ENTRY || batchBytes + commandBytes > MAX_BYTES_PER_ENTRY) {
            flush();
        }
        batch.add(command);
        batchBytes += commandBytes;
    }

    /** Proposes the batch, unless it can wait. */
    void flushIfUrgent() {
        if (isUrgent) {
            flush();
        }
    }

    private void flush() {
        if (batch.isEmpty()) {
            return;
        }
        var commands = List.copyOf(batch);
        var result = outcome;
        batch = new ArrayList<>();
        outcome = new CompletableFuture<>();
        batchBytes = 0;
        isUrgent = false;
        propose(commands, result, true);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback completes the result
    private void propose(List<Command> commands, CompletableFuture<Void> result, boolean isFirstAttempt) {
        int size = commands.size();
        if (inFlight + size > MAX_COMMANDS_IN_FLIGHT) {
            counters.dropped.add(size);
            result.completeExceptionally(new IllegalStateException(
                    "too many commands in flight: " + inFlight + " (limit " + MAX_COMMANDS_IN_FLIGHT + ")"));
            return;
        }
        if (inFlight == 0) {
            lastProgressNanos = eventLoop.nanoTime();
        }
        inFlight += size;
        counters.entries.increment();
        counters.commands.add(size);
        long start = eventLoop.nanoTime();
        log.propose(StorageFormat.encode(new CommandBatch(wallClock.millis(), commands)))
                .whenComplete((nothing, failed) -> {
                    inFlight -= size;
                    lastProgressNanos = eventLoop.nanoTime();
                    if (failed == null) {
                        counters.recordCommit(eventLoop.nanoTime() - start);
                        result.complete(null);
                        return;
                    }
                    counters.failed.increment();
                    LOG.debug("proposal failed commands={} error=\"{}\"", size, failed.toString());
                    result.completeExceptionally(failed);
                    if (isFirstAttempt && isLost(failed)) {
                        proposeAgain(commands);
                    }
                });
    }

    /** Whether the leader changed, so that the next one has to be asked. */
    private static boolean isLost(Throwable failed) {
        return failed instanceof IndeterminateOutcomeException || failed instanceof ProposalRejectedException;
    }

    /**
     * Proposes what clients asked for a last time: if it is lost again, they ask again. A request is applied once,
     * however often it is in the log.
     */
    private void proposeAgain(List<Command> commands) {
        var requests = commands.stream()
                .filter(command -> command instanceof Command.Submit || command instanceof Command.OpenSession)
                .toList();
        if (!requests.isEmpty()) {
            propose(requests, new CompletableFuture<>(), false);
        }
    }

    private static int estimateBytes(Command command) {
        return switch (command) {
            case Command.OpenSession openSession ->
                64
                        + maxUtf8Bytes(openSession.client().name())
                        + maxUtf8Bytes(openSession.client().host());
            case Command.RenewSessions(var renewals) -> 8 + 12 * renewals.size();
            case Command.Submit(var session, var number, var acknowledgedUpTo, Operation.Acquire acquire) ->
                40
                        + acquire.shares().stream()
                                .mapToInt(
                                        share -> 16 + maxUtf8Bytes(share.name().text()))
                                .sum();
            case Command.Submit submit -> 64;
            case Command.ExpireSession expire -> 24;
            case Command.SetQuotas quotas -> 80;
            case Command.AdminCommand admin ->
                128 + maxUtf8Bytes(admin.operator()) + maxUtf8Bytes(admin.address()) + maxUtf8Bytes(admin.reason());
            case Command.RecordDenial denial ->
                32 + maxUtf8Bytes(denial.client()) + maxUtf8Bytes(denial.address()) + maxUtf8Bytes(denial.request());
        };
    }

    private static int maxUtf8Bytes(String text) {
        return 3 * text.length();
    }
}

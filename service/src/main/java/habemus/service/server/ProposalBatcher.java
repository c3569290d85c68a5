package habemus.service.server;

import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.storage.StorageFormat;
import habemus.service.raft.IndeterminateOutcomeException;
import habemus.service.raft.ReplicatedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers commands, and puts those that came together into the log as one entry. It waits for nothing. When too much is
 * on its way already it forgets what comes: whoever asked for it will ask again.
 *
 * <p>What clients ask for is proposed a second time if a leader took the first with it, which changes nothing if that
 * was committed. So nobody has to wait until the client loses its patience.
 */
final class ProposalBatcher {

    private static final Logger LOG = LoggerFactory.getLogger(ProposalBatcher.class);

    /** Of one entry. */
    private static final int COMMANDS_MAX = 1_000;

    /** Of one entry, about. */
    private static final int BYTES_MAX = 256 * 1_024;

    /** Commands that are on their way. */
    private static final int IN_FLIGHT_MAX = 100_000;

    /** How long what nobody waits for is kept for something that somebody does. */
    private static final Duration LAZY_PROPOSAL_DELAY = Duration.ofMillis(2);

    private final ReplicatedLog replicatedLog;
    private final LongSupplier nanos;
    private final ServerCounters serverCounters;
    private final Consumer<List<Command>> onLost;
    private final AtomicInteger inFlight = new AtomicInteger();
    private List<Command> batch = new ArrayList<>();
    private CompletableFuture<Void> outcome = new CompletableFuture<>(); // of what is gathered
    private int batchBytes;
    private boolean isUrgent; // some of it
    private long flushAtNanos; // when it is proposed all the same

    /**
     * @param nanos a clock that never goes back
     * @param lost is told, by any thread, what is to be proposed {@linkplain #repropose again}
     */
    ProposalBatcher(
            ReplicatedLog replicatedLog,
            LongSupplier nanos,
            ServerCounters serverCounters,
            Consumer<List<Command>> lost) {
        this.replicatedLog = replicatedLog;
        this.nanos = nanos;
        this.onLost = lost;
        this.serverCounters = serverCounters;
    }

    /** What becomes of it: completes, or fails, as the log does. */
    CompletableFuture<Void> add(Command command) {
        append(command);
        isUrgent = true;
        return outcome;
    }

    /**
     * One that nobody waits for, like that of somebody who can only stand in line. It goes with the next that somebody
     * waits for, or a little later: where many want the same lock, that is one entry for every handover, not two.
     */
    void addLazily(Command command) {
        append(command);
        flushAtNanos = batch.size() == 1 ? nanos.getAsLong() + LAZY_PROPOSAL_DELAY.toNanos() : flushAtNanos;
    }

    private void append(Command command) {
        int commandBytes = estimateBytes(command);
        if (batch.size() == COMMANDS_MAX || batchBytes + commandBytes > BYTES_MAX) {
            flush();
        }
        batch.add(command);
        batchBytes += commandBytes;
    }

    /** All that was gathered, unless it can wait. */
    void flushIfDue() {
        if (isUrgent || nanosUntilFlush() <= 0) {
            flush();
        }
    }

    /** How long what was gathered can wait, in nanoseconds; for ever if nothing was. */
    long nanosUntilFlush() {
        return batch.isEmpty() ? Long.MAX_VALUE : flushAtNanos - nanos.getAsLong();
    }

    private void flush() {
        var commands = List.copyOf(batch);
        var result = outcome;
        batch = new ArrayList<>();
        outcome = new CompletableFuture<>();
        batchBytes = 0;
        isUrgent = false;
        propose(commands, result, true);
    }

    /** And if that is lost too, it is forgotten. */
    void repropose(List<Command> commands) {
        propose(commands, new CompletableFuture<>(), false);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is told what comes of it
    private void propose(List<Command> commands, CompletableFuture<Void> result, boolean isFirstAttempt) {
        int size = commands.size();
        if (inFlight.get() + size > IN_FLIGHT_MAX) {
            serverCounters.dropped.add(size);
            result.completeExceptionally(new IllegalStateException("the log has too much to do"));
            return;
        }
        inFlight.addAndGet(size);
        serverCounters.entries.increment();
        serverCounters.commands.add(size);
        replicatedLog
                .enqueue(StorageFormat.encode(new CommandBatch(System.currentTimeMillis(), commands)))
                .whenComplete((nothing, why) -> {
                    inFlight.addAndGet(-size);
                    if (why == null) {
                        result.complete(null);
                        return;
                    }
                    serverCounters.failed.increment();
                    LOG.debug("{} commands are not in the log: {}", size, why.toString());
                    result.completeExceptionally(why);
                    if (isFirstAttempt && why instanceof IndeterminateOutcomeException) {
                        reportLost(commands);
                    }
                });
    }

    /** Only what is carried out once however often it is in the log. */
    private void reportLost(List<Command> commands) {
        var asks = commands.stream().filter(Command.Submit.class::isInstance).toList();
        if (!asks.isEmpty()) {
            onLost.accept(asks);
        }
    }

    /** About how many bytes it has. */
    private static int estimateBytes(Command command) {
        return switch (command) {
            case Command.OpenSession openSession ->
                64
                        + maxUtf8Bytes(openSession.client().name())
                        + maxUtf8Bytes(openSession.client().host());
            case Command.RenewSessions(var renewals) -> 8 + 12 * renewals.size();
            case Command.Submit(var session, var number, var settled, Operation.Acquire acquire) ->
                40
                        + acquire.shares().stream()
                                .mapToInt(resourceShare -> 16
                                        + maxUtf8Bytes(
                                                resourceShare.resourceName().text()))
                                .sum();
            case Command.Submit small -> 64;
            case Command.ExpireSession small -> 24;
            case Command.AdminCommand adminCommand ->
                64 + maxUtf8Bytes(adminCommand.operator()) + maxUtf8Bytes(adminCommand.reason());
        };
    }

    private static int maxUtf8Bytes(String text) {
        return 3 * text.length();
    }
}

package habemus.service.session;

import habemus.archive.Archive;
import habemus.fenced.Command;
import habemus.fenced.Entry;
import habemus.fenced.Wish;
import habemus.service.log.Log;
import habemus.service.log.Undecided;
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
final class Proposer {

    private static final Logger LOG = LoggerFactory.getLogger(Proposer.class);

    /** Of one entry. */
    private static final int COMMANDS_MAX = 1_000;

    /** Of one entry, about. */
    private static final int BYTES_MAX = 256 * 1_024;

    /** Commands that are on their way. */
    private static final int FLYING_MAX = 100_000;

    /** How long what nobody waits for is kept for something that somebody does. */
    private static final Duration LATER = Duration.ofMillis(2);

    private final Log log;
    private final LongSupplier nanos;
    private final Tally tally;
    private final Consumer<List<Command>> lost;
    private final AtomicInteger flying = new AtomicInteger();
    private List<Command> gathered = new ArrayList<>();
    private CompletableFuture<Void> outcome = new CompletableFuture<>(); // of what is gathered
    private int bytes;
    private boolean isAwaited; // some of it
    private long due; // when it is proposed all the same

    /**
     * @param nanos a clock that never goes back
     * @param lost is told, by any thread, what is to be proposed {@linkplain #again again}
     */
    Proposer(Log log, LongSupplier nanos, Tally tally, Consumer<List<Command>> lost) {
        this.log = log;
        this.nanos = nanos;
        this.lost = lost;
        this.tally = tally;
    }

    /** What becomes of it: completes, or fails, as the log does. */
    CompletableFuture<Void> add(Command command) {
        gather(command);
        isAwaited = true;
        return outcome;
    }

    /**
     * One that nobody waits for, like that of somebody who can only stand in line. It goes with the next that somebody
     * waits for, or a little later: where many want the same lock, that is one entry for every handover, not two.
     */
    void addPatiently(Command command) {
        gather(command);
        due = gathered.size() == 1 ? nanos.getAsLong() + LATER.toNanos() : due;
    }

    private void gather(Command command) {
        int weight = weight(command);
        if (gathered.size() == COMMANDS_MAX || bytes + weight > BYTES_MAX) {
            proposeAll();
        }
        gathered.add(command);
        bytes += weight;
    }

    /** All that was gathered, unless it can wait. */
    void propose() {
        if (isAwaited || rest() <= 0) {
            proposeAll();
        }
    }

    /** How long what was gathered can wait, in nanoseconds; for ever if nothing was. */
    long rest() {
        return gathered.isEmpty() ? Long.MAX_VALUE : due - nanos.getAsLong();
    }

    private void proposeAll() {
        var commands = List.copyOf(gathered);
        var told = outcome;
        gathered = new ArrayList<>();
        outcome = new CompletableFuture<>();
        bytes = 0;
        isAwaited = false;
        propose(commands, told, true);
    }

    /** And if that is lost too, it is forgotten. */
    void again(List<Command> commands) {
        propose(commands, new CompletableFuture<>(), false);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is told what comes of it
    private void propose(List<Command> commands, CompletableFuture<Void> told, boolean first) {
        int size = commands.size();
        if (flying.get() + size > FLYING_MAX) {
            tally.dropped.add(size);
            told.completeExceptionally(new IllegalStateException("the log has too much to do"));
            return;
        }
        flying.addAndGet(size);
        tally.entries.increment();
        tally.commands.add(size);
        log.put(Archive.write(new Entry(System.currentTimeMillis(), commands))).whenComplete((nothing, why) -> {
            flying.addAndGet(-size);
            if (why == null) {
                told.complete(null);
                return;
            }
            tally.failed.increment();
            LOG.debug("{} commands are not in the log: {}", size, why.toString());
            told.completeExceptionally(why);
            if (first && why instanceof Undecided) {
                lose(commands);
            }
        });
    }

    /** Only what is carried out once however often it is in the log. */
    private void lose(List<Command> commands) {
        var asks = commands.stream().filter(Command.Ask.class::isInstance).toList();
        if (!asks.isEmpty()) {
            lost.accept(asks);
        }
    }

    /** About how many bytes it has. */
    private static int weight(Command command) {
        return switch (command) {
            case Command.Open open ->
                64 + length(open.person().name()) + length(open.person().host());
            case Command.Beat(var renewals) -> 8 + 12 * renewals.size();
            case Command.Ask(var session, var number, var settled, Wish.Acquire acquire) ->
                40
                        + acquire.wants().stream()
                                .mapToInt(want -> 16 + length(want.name().text()))
                                .sum();
            case Command.Ask small -> 64;
            case Command.Expire small -> 24;
            case Command.Force force -> 64 + length(force.operator()) + length(force.reason());
        };
    }

    private static int length(String text) {
        return 3 * text.length();
    }
}

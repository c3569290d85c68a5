package habemus.service.session;

import habemus.archive.Archive;
import habemus.fenced.Command;
import habemus.fenced.Entry;
import habemus.fenced.Wish;
import habemus.service.log.Log;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers commands, and puts those that came together into the log as one entry. It waits for nothing. When too much is
 * on its way already it forgets what comes: whoever asked for it will ask again.
 */
final class Proposer {

    private static final Logger LOG = LoggerFactory.getLogger(Proposer.class);

    /** Of one entry. */
    private static final int COMMANDS_MAX = 1_000;

    /** Of one entry, about. */
    private static final int BYTES_MAX = 256 * 1_024;

    /** Commands that are on their way. */
    private static final int FLYING_MAX = 100_000;

    private final Log log;
    private final InstantSource clock;
    private final Tally tally;
    private final AtomicInteger flying = new AtomicInteger();
    private List<Command> gathered = new ArrayList<>();
    private CompletableFuture<Void> outcome = new CompletableFuture<>(); // of what is gathered
    private int bytes;

    Proposer(Log log, InstantSource clock, Tally tally) {
        this.log = log;
        this.clock = clock;
        this.tally = tally;
    }

    /** What becomes of it: completes, or fails, as the log does. */
    CompletableFuture<Void> add(Command command) {
        int weight = weight(command);
        if (gathered.size() == COMMANDS_MAX || bytes + weight > BYTES_MAX) {
            propose();
        }
        gathered.add(command);
        bytes += weight;
        return outcome;
    }

    /** All that was gathered. */
    @SuppressWarnings("FutureReturnValueIgnored") // it is told what comes of it
    void propose() {
        if (gathered.isEmpty()) {
            return;
        }
        var entry = new Entry(clock.millis(), List.copyOf(gathered));
        var told = outcome;
        int size = gathered.size();
        gathered = new ArrayList<>();
        outcome = new CompletableFuture<>();
        bytes = 0;
        if (flying.get() + size > FLYING_MAX) {
            tally.dropped.add(size);
            told.completeExceptionally(new IllegalStateException("the log has too much to do"));
            return;
        }
        flying.addAndGet(size);
        tally.entries.increment();
        tally.commands.add(size);
        log.propose(Archive.write(entry)).whenComplete((nothing, why) -> {
            flying.addAndGet(-size);
            if (why == null) {
                told.complete(null);
            } else {
                tally.failed.increment();
                LOG.debug("{} commands are not in the log: {}", size, why.toString());
                told.completeExceptionally(why);
            }
        });
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

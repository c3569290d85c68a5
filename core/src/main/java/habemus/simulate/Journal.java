package habemus.simulate;

import habemus.protocol.Background;
import habemus.protocol.Envelope;
import habemus.protocol.NodeId;
import habemus.world.Court;
import habemus.world.Happening;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Resource;
import habemus.world.TraceLine;
import habemus.world.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who watches a run: counts it, shows it to the judges, and writes it down if asked to. */
final class Journal {

    private static final long QUIET = 15_000_000; // longer than anybody should need to make up its mind
    private static final int ALARMS = 4; // the longest one may ring so often before all is quiet
    private static final int QUIET_STEPS = 100; // of each node: a single alarm that is far away is not quiet

    private final Problem problem;
    private final @Nullable Court court;
    private final @Nullable Consumer<TraceLine> trace;
    private final List<TraceLine> held = new ArrayList<>(); // until the step that caused them is written
    private boolean holding;
    private final List<Outcome.Granted> grants = new ArrayList<>();
    private final List<Outcome.Elected> elected = new ArrayList<>();
    private final List<Outcome.Doubt> doubts = new ArrayList<>();
    private Class<?>[] types = {};
    private long[] counts = {};
    private boolean violated;
    private final Workload.Writing writing;
    private Resource resource;
    private long heartbeats;
    long steps;
    long unchanged; // how many steps in a row were made with nothing planned, and left their node as it was
    private long lastSeen; // when something was seen from outside
    private long stepsSince; // how many were made since then
    private long longestAlarm; // that was set so far
    long lastStep; // when it was made; alarms that were calmed are no steps
    long entries;
    long elections;

    Journal(Problem problem, @Nullable Court court, @Nullable Consumer<TraceLine> trace, Workload.Writing writing) {
        this.problem = problem;
        this.court = court;
        this.trace = trace;
        this.writing = writing;
        resource = Resource.untouched(writing == Workload.Writing.FENCED);
    }

    boolean tracing() {
        return trace != null;
    }

    boolean violated() {
        return violated;
    }

    boolean judging() {
        return court != null;
    }

    /** A message counts as what it carries. */
    void count(Object message) {
        var content = Envelope.open(message);
        if (content instanceof Background) {
            heartbeats++;
        } else {
            count(content.getClass());
        }
    }

    private void count(Class<?> type) {
        for (int i = 0; i < types.length; i++) {
            if (types[i] == type) {
                counts[i]++;
                return;
            }
        }
        types = Arrays.copyOf(types, types.length + 1);
        counts = Arrays.copyOf(counts, counts.length + 1);
        types[types.length - 1] = type;
        counts[counts.length - 1] = 1;
    }

    private Map<String, Long> counts() {
        var byName = new TreeMap<String, Long>();
        for (int i = 0; i < types.length; i++) {
            byName.merge(types[i].getSimpleName(), counts[i], Long::sum);
        }
        return byName;
    }

    /** How a run is about to end in which nothing is planned and nobody waits; nothing if it goes on. */
    Outcome.@Nullable End ending(int nodes) {
        if (unchanged > nodes && problem == Problem.MUTEX) {
            return Outcome.End.IDLE; // what is under way has come by everybody, and changes nothing
        }
        long quiet = Math.max(QUIET, ALARMS * longestAlarm);
        return stepsSince > (long) QUIET_STEPS * nodes && lastStep - lastSeen > quiet ? Outcome.End.QUIET : null;
    }

    /** Somebody has set an alarm that rings after so long at most. */
    void wake(long micros) {
        longestAlarm = Math.max(longestAlarm, micros);
    }

    void see(long at, Happening seen) {
        lastSeen = at;
        stepsSince = 0;
        switch (seen) {
            case Happening.Entered(var node, var fence) -> {
                if (entries++ < Outcome.LISTED) {
                    grants.add(new Outcome.Granted(node, fence, at));
                }
            }
            case Happening.Named(var node, var leader, var term) -> {
                if (elections++ < Outcome.LISTED) {
                    elected.add(new Outcome.Elected(node, leader, term, at));
                }
            }
            case Happening.Suspected(var node, var peer) -> doubt(new Outcome.Doubt(node, peer, true, at));
            case Happening.Trusted(var node, var peer) -> doubt(new Outcome.Doubt(node, peer, false, at));
            default -> {}
        }
        write(new TraceLine.Seen(at, seen));
        if (court != null) {
            for (Property property : court.see(seen)) {
                violated = true;
                write(new TraceLine.Violated(at, property));
            }
        }
    }

    private void doubt(Outcome.Doubt doubt) {
        if (doubts.size() < Outcome.LISTED) {
            doubts.add(doubt);
        }
    }

    /** The node writes to the resource, if there is one. */
    void writeTo(long at, NodeId node, long fence) {
        if (writing != Workload.Writing.NONE) {
            write(new TraceLine.Wrote(at, node, fence, resource.accepts(fence)));
            resource = resource.after(fence);
        }
    }

    void write(TraceLine line) {
        if (holding) {
            held.add(line);
        } else if (trace != null) {
            trace.accept(line);
        }
    }

    /** What is written from now on is the consequence of a step that is written later, but belongs before it. */
    void beginStep(long at, boolean matters) {
        steps++;
        stepsSince++;
        unchanged = matters ? 0 : unchanged + 1;
        lastStep = at;
        holding = trace != null;
    }

    void endStep(TraceLine step) {
        holding = false;
        write(step);
        held.forEach(this::write);
        held.clear();
    }

    /** What became of it all. */
    Outcome outcome(Outcome.End end, List<Outcome.Waiting> waiting, @Nullable String bug) {
        boolean settled = switch (end) {
            case REST, IDLE, QUIET, SETTLED -> true;
            case LIMIT, VIOLATION, LAST_MOVE, BUG -> false;
        };
        var byName = counts();
        return new Outcome(
                end,
                lastStep,
                steps,
                byName.values().stream().mapToLong(Long::longValue).sum(),
                byName,
                heartbeats,
                entries,
                elections,
                List.copyOf(grants),
                List.copyOf(elected),
                List.copyOf(doubts),
                waiting,
                resource,
                court == null ? 0 : court.largestBypass(),
                court == null ? Map.of() : court.verdicts(settled),
                bug);
    }
}

package habemus.service.record;

import habemus.catalogue.Recipe;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.service.disk.Damaged;
import habemus.simulate.Outcome;
import habemus.simulate.Tally;
import habemus.world.Court;
import habemus.world.Topology;
import habemus.world.TraceLine;
import habemus.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/**
 * A run of real nodes, made of their traces.
 *
 * @param differences between what was recorded and what the pure machine does: there should be none
 * @param notes what could not be made out
 * @param outcome counts and verdicts, as of a simulated run
 */
public record Recorded(
        TraceHead head,
        Recipe recipe,
        int traces,
        List<TraceLine> lines,
        List<String> differences,
        List<String> notes,
        Outcome outcome) {

    private static final String TRACE = ".trace";

    /**
     * All runs of which there are traces in a folder, one for each group.
     *
     * @param settled whether the run was given time to settle before it ended, so that its end is judged
     * @throws Damaged if a file is not what was written
     */
    public static List<Recorded> read(Path folder, boolean settled) {
        return read(folder, settled, recorded -> recorded);
    }

    /**
     * The same one after the other, where not all of them have room in memory together.
     *
     * @param use what is kept of each
     */
    public static <T> List<T> read(Path folder, boolean settled, Function<Recorded, T> use) {
        var byGroup = new LinkedHashMap<String, List<Begun>>();
        try (var files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(TRACE))
                    .sorted()
                    .forEach(file -> Trace.head(file)
                            .ifPresent(head -> byGroup.computeIfAbsent(
                                            head.problem() + " " + head.group(), key -> new ArrayList<>())
                                    .add(new Begun(file, head))));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return byGroup.values().stream()
                .map(traces -> use.apply(of(traces, settled)))
                .toList();
    }

    /** A trace of which only the head was read. */
    private record Begun(Path file, TraceHead head) {}

    private static Recorded of(List<Begun> begun, boolean settled) {
        var first = begun.getFirst();
        var head = first.head;
        for (Begun other : begun) {
            if (!other.head.recipe().equals(head.recipe()) || other.head.nodes() != head.nodes()) {
                throw new Damaged(other.file + " is of another cluster than " + first.file);
            }
        }
        var recipe = Recipe.parse(head.recipe(), head.problem());
        var files = begun.stream().map(Begun::file).toList();
        return of(files, head, recipe, recipe.protocol(head.nodes()), settled);
    }

    private static <S, M> Recorded of(
            List<Path> files, TraceHead head, Recipe recipe, Protocol<S, M> protocol, boolean settled) {
        var topology = recipe.topology(head.nodes());
        var traces = files.stream().map(file -> Trace.read(file, protocol)).toList();
        var differences = new ArrayList<String>();
        for (var trace : traces) {
            new Reenactment<>(protocol, topology.place(trace.head().node()))
                    .differs(trace)
                    .ifPresent(differences::add);
        }
        var merge = new Merge<>(traces, head.nodes());
        var lines = merge.lines();
        var notes = new ArrayList<>(merge.notes());
        traces.stream()
                .filter(Trace::torn)
                .map(trace -> trace.head().node() + "#" + trace.head().incarnation() + " ends amid a line")
                .forEach(notes::add);
        var end = settled ? Outcome.End.SETTLED : Outcome.End.LIMIT;
        var bug = traces.stream()
                .flatMap(trace -> trace.bug().stream())
                .findFirst()
                .orElse(null);
        return new Recorded(
                head,
                recipe,
                files.size(),
                List.copyOf(lines),
                differences,
                notes,
                tally(head, recipe, topology).count(lines, bug == null ? end : Outcome.End.BUG, bug));
    }

    private static Tally tally(TraceHead head, Recipe recipe, Topology topology) {
        var court =
                new Court(head.problem(), World.of(topology), recipe.algorithm().bypassBound(head.nodes()));
        return new Tally(head.problem(), court);
    }

    public List<NodeId> nodes() {
        return recipe.topology(head.nodes()).nodes();
    }

    /** Whether it is as the pure machine does it, and violates nothing. */
    public boolean isFine() {
        return differences.isEmpty() && !outcome.failed();
    }
}

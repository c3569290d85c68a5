package habemus.check;

import habemus.world.Property;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Walks all states, level by level: first those one step away from the beginning, then those two steps away … */
final class Search {

    /** The parent of a state in which runs begin. */
    static final int NONE = -1;

    /** How many states a shard expands before the batches are collected: few enough to stay in the cache. */
    private static final int ROUND = 1 << 11;

    private final Scope scope;
    private final List<Property> properties;
    private final Stage<?, ?> stage;
    private final Globals globals;
    private final Corners corners;
    private final Findings findings;
    private final Shard[] shards;
    private final List<String> bounded = new ArrayList<>();
    private int depth;

    Search(Stage<?, ?> stage, List<Property> properties) {
        this.stage = stage;
        this.properties = properties;
        scope = stage.scope();
        globals = new Globals(scope, properties);
        corners = new Corners(stage, globals);
        findings = new Findings(properties);
        shards = new Shard[scope.effort().threads()];
        Arrays.setAll(shards, i -> new Shard(i, shards.length, expander(), globals, findings));
    }

    private Expander expander() {
        return new Expander(scope, corners, globals);
    }

    Report run() {
        long end = System.nanoTime() + scope.effort().time().toNanos();
        expander().begin().forEach(beginning -> shards[0].put(beginning.state(), NONE));
        try (var crew = new Crew(shards)) {
            crew.all(shard -> shard.collect(shards));
            boolean more = true;
            for (int level = 0; more; level++) {
                more = walk(crew, level, end);
            }
        }
        return report();
    }

    /** Expands what the level before has brought; tells whether there is a next one. */
    private boolean walk(Crew crew, int level, long end) {
        if (total(Shard::beginLevel) == 0) {
            return false;
        }
        if (level > scope.effort().depth()) {
            bounded.add("at most %,d steps".formatted(scope.effort().depth()));
            return false;
        }
        while (!Arrays.stream(shards).allMatch(Shard::isDone)) {
            crew.all(shard -> shard.expand(ROUND));
            crew.all(shard -> shard.collect(shards));
            if (reachesLimit(end)) {
                return false;
            }
        }
        depth = Arrays.stream(shards).anyMatch(Shard::madeProgress) ? level : depth;
        return true;
    }

    private boolean reachesLimit(long end) {
        var effort = scope.effort();
        if (effort.atViolation() && findings.any()) {
            bounded.add("stopped at the first violation");
        } else if (total(Shard::size) >= effort.states()) {
            bounded.add("at most %,d states".formatted(effort.states()));
        } else if (total(Shard::bytes) >= effort.bytes()) {
            bounded.add("at most %,d bytes of states".formatted(effort.bytes()));
        } else if (System.nanoTime() >= end) {
            bounded.add("at most " + effort.time().toMillis() + " ms");
        }
        return !bounded.isEmpty();
    }

    private long total(ToLongFunction<Shard> what) {
        return Arrays.stream(shards).mapToLong(what).sum();
    }

    private Report report() {
        long beyond = total(shard -> shard.beyond);
        if (beyond > 0) {
            bounded.add("%s: nothing after the %,d states beyond it"
                    .formatted(scope.bound().map(Scope.Bound::what).orElse(""), beyond));
        }
        var failures = Stream.of(Report.PROTOCOL_BUG, Report.IMPURE)
                .flatMap(name -> findings.find(name).stream())
                .toList();
        failures.forEach(failure -> bounded.add("nothing after a " + failure.name()));
        var all = new ArrayList<Report.Finding>();
        properties.forEach(property -> all.add(finding(property)));
        failures.forEach(failure -> all.add(violated(failure)));
        return new Report(
                total(Shard::size) - beyond,
                beyond,
                total(shard -> shard.transitions),
                depth,
                total(shard -> shard.atRest),
                bounded,
                total(Shard::bytes),
                all);
    }

    private Report.Finding finding(Property property) {
        var found = findings.find(property.toString());
        if (found.isPresent()) {
            return violated(found.get());
        }
        boolean open = !bounded.isEmpty()
                || findings.isOpen(property)
                || property == Property.BOUNDED_WAITING && scope.bypass().isEmpty();
        var verdict = open ? Verdict.OPEN : Verdict.HOLDS;
        return new Report.Finding(property.toString(), verdict, property.sentence(), List.of());
    }

    private Report.Finding violated(Findings.Found found) {
        var states = new ArrayList<int[]>();
        for (int number = found.parent(); number != NONE; number = shard(number).parent(number)) {
            states.add(shard(number).read(number));
        }
        var path = new Path(expander());
        var moves = new ArrayList<>(path.moves(states.reversed()));
        if (found.turn() != null) {
            moves.add(new Move(found.node(), found.turn()));
        }
        var schedule = new Ledger(stage, corners).names(path.starts(states.getLast()), moves);
        return new Report.Finding(found.name(), found.words(), Checker.retell(stage.protocol(), scope, schedule));
    }

    private Shard shard(int number) {
        return shards[number % shards.length];
    }
}

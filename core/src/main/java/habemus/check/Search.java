package habemus.check;

import habemus.world.Property;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Walks all states, level by level: first those one step away from the beginning, then those two steps away … */
final class Search {

    /** The parent of a state in which runs begin. */
    static final int NONE = -1;

    /** How many states a shard expands before the batches are collected: few enough to stay in the cache. */
    private static final int ROUND = 1 << 11;

    /** How long to say nothing to who looks on. */
    private static final long PAUSE = 200_000_000;

    private final Scope scope;
    private final Effort effort;
    private final List<Property> properties;
    private final Stage<?, ?> stage;
    private final Globals globals;
    private final Corners corners;
    private final Findings findings;
    private final Assumptions assumptions;
    private final Shard[] shards;
    private final List<String> bounded = new ArrayList<>();
    private final List<String> unseen = new ArrayList<>();
    private final Map<Property, Liveness.Ending> endless = new EnumMap<>(Property.class);
    private Optional<Liveness.Passing> passing = Optional.empty();
    private final Forecast forecast = new Forecast();
    private List<String> sought = List.of();
    private int depth;
    private long told; // when

    Search(Stage<?, ?> stage, List<Property> properties, Assumptions assumptions) {
        this.assumptions = assumptions;
        this.stage = stage;
        this.properties = properties;
        scope = stage.scope();
        var judged = properties.stream()
                .filter(property -> property != Property.BOUNDED_WAITING)
                .toList();
        globals = new Globals(scope, judged);
        corners = new Corners(stage, globals, assumptions);
        findings = new Findings(judged);
        effort = scope.effort();
        shards = new Shard[effort.threads()];
        Arrays.setAll(shards, i -> new Shard(i, effort, expander(), globals, findings));
    }

    /** Ends when it has found all of these. */
    Search seeking(List<String> names) {
        sought = names;
        return this;
    }

    private Expander expander() {
        var settling = assumptions.order() ? new Settling(corners) : null;
        return new Expander(scope, corners, globals, settling, assumptions.symmetry() ? mirrors() : null);
    }

    private Mirrors mirrors() {
        return new Mirrors(
                corners, globals, assumptions.group(), scope.topology().size());
    }

    /**
     * What was found; nothing if something was taken for granted that is not so, and another search has to know better.
     *
     * @param end when to give up, as {@link System#nanoTime} tells the time
     */
    Optional<Report> run(long end) {
        begin();
        try (var crew = new Crew(shards)) {
            crew.all(shard -> shard.collect(shards));
            boolean more = true;
            for (int level = 0; more; level++) {
                more = walk(crew, level, end);
            }
            if (!stands()) {
                return Optional.empty();
            }
            if (bounded.isEmpty()) {
                judgeEndless(crew);
            }
        }
        return Optional.of(report());
    }

    private boolean stands() {
        reconsider();
        return corners.hurryRightly() && assumptions.groupStands();
    }

    private void begin() {
        var expander = expander();
        var states = expander.begin().stream().map(Expander.Beginning::state).toList();
        for (Renaming renaming : assumptions.group()) {
            var renamed = states.stream().map(state -> mirrors().renamed(renaming, state));
            if (!renamed.allMatch(state -> states.stream().anyMatch(each -> Arrays.equals(each, state)))) {
                assumptions.doubts().add(renaming);
            }
        }
        for (int[] state : states) {
            expander.reduce(state);
            shards[0].put(state, NONE);
        }
    }

    private void reconsider() {
        corners.reconsider();
        globals.compare(assumptions.group(), assumptions.doubts());
    }

    /** Expands what the level before has brought; tells whether there is a next one. */
    private boolean walk(Crew crew, int level, long end) {
        long size = total(Shard::beginLevel);
        if (size == 0) {
            return false;
        }
        if (level > effort.depth()) {
            bounded.add("at most %,d steps".formatted(effort.depth()));
            return false;
        }
        forecast.add(size);
        while (!Arrays.stream(shards).allMatch(Shard::isDone)) {
            crew.all(shard -> shard.expand(ROUND));
            crew.all(shard -> shard.collect(shards));
            if (reachesLimit(end)) {
                return false;
            }
        }
        depth = Arrays.stream(shards).anyMatch(Shard::madeProgress) ? level : depth;
        reconsider();
        return assumptions.groupStands();
    }

    private boolean reachesLimit(long end) {
        if (effort.atViolation() && findings.any()) {
            bounded.add("stopped at the first violation");
        } else if (!sought.isEmpty() && sought.stream().allMatch(findings::has)) {
            bounded.add("stopped when all was found that was sought");
        } else if (total(Shard::size) >= effort.states()) {
            bounded.add("at most %,d states".formatted(effort.states()));
        } else if (bytes() >= effort.bytes()) {
            bounded.add(
                    "at most %,d bytes: %,d states were met, %s".formatted(effort.bytes(), total(Shard::size), need()));
        } else if (System.nanoTime() >= end) {
            bounded.add("at most " + effort.time().toMillis() + " ms");
        } else if (!goesOn()) {
            bounded.add("interrupted");
        }
        return !bounded.isEmpty();
    }

    /** What no single state shows: see {@link Liveness}. */
    private void judgeEndless(Crew crew) {
        var open = properties.stream().filter(this::needsGraph).toList();
        if (open.isEmpty()) {
            return;
        }
        long bytes = bytes() + Graph.bytes(shards);
        if (effort.compact()) {
            unseen.add("endless runs, of which hashes do not tell");
        } else if (bytes > effort.bytes()) {
            unseen.add("endless runs, for which it takes %,d bytes of states and steps".formatted(bytes));
        } else if (!assumptions.reductions().isEmpty()) {
            if (open.contains(Property.BOUNDED_WAITING) || new Graph(crew, shards, this::expander).hasCycle()) {
                unseen.add("endless runs, of which a reduced search does not tell");
            }
        } else {
            var liveness = new Liveness(new Graph(crew, shards, this::expander), stage, corners, globals);
            for (Property property : open) {
                if (property == Property.BOUNDED_WAITING) {
                    passing = Optional.of(liveness.passing());
                } else {
                    liveness.endless(property).ifPresent(ending -> endless.put(property, ending));
                }
            }
        }
    }

    /** Where no step leads back there is no endless run, and what is true at rest is true in the end. */
    private boolean needsGraph(Property property) {
        return property == Property.BOUNDED_WAITING
                || property.when() == Property.When.IN_THE_END
                        && findings.find(property.toString()).isEmpty()
                        && Arrays.stream(shards).anyMatch(Shard::hasBackEdge);
    }

    private String need() {
        var expected = forecast.total();
        return expected.isEmpty()
                ? "no end is in sight"
                : "about %,d bytes would be needed"
                        .formatted(Math.round((double) bytes() / total(Shard::size) * expected.getAsLong()));
    }

    /** What who looks on says to it; asked not too often. */
    private boolean goesOn() {
        long now = System.nanoTime();
        if (now - told < PAUSE) {
            return true;
        }
        told = now;
        return effort.watch()
                .goOn(new Effort.Sofar(
                        total(Shard::size),
                        total(shard -> shard.transitions),
                        total(Shard::frontier),
                        depth,
                        bytes(),
                        forecast.total()));
    }

    private long total(ToLongFunction<Shard> what) {
        return Arrays.stream(shards).mapToLong(what).sum();
    }

    private long bytes() {
        return total(Shard::bytes) + corners.bytes() + globals.bytes();
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
                Stream.concat(bounded.stream(), unseen.stream()).toList(),
                bytes(),
                bounded.isEmpty()
                        ? passing.stream().mapToInt(Liveness.Passing::times).findFirst()
                        : OptionalInt.empty(),
                mistaken(),
                all,
                assumptions.reductions());
    }

    /** As many pairs as there are, each with the same hash by a chance of one in 2 to the 64. */
    private double mistaken() {
        double states = total(Shard::size);
        return effort.compact() ? Math.min(1, states * (states - 1) / 2 / 0x1p64) : 0;
    }

    private Report.Finding finding(Property property) {
        if (property == Property.BOUNDED_WAITING) {
            return boundedWaiting();
        }
        var name = property.toString();
        var found = findings.find(name);
        if (found.isPresent()) {
            return violated(found.get());
        }
        var ending = endless.get(property);
        if (ending != null) {
            return violated(name, property.sentence(), ending);
        }
        boolean open = !bounded.isEmpty() || findings.isOpen(property) || !unseen.isEmpty() && needsGraph(property);
        return unbroken(name, open ? Verdict.OPEN : Verdict.HOLDS, "");
    }

    private Report.Finding boundedWaiting() {
        var name = Property.BOUNDED_WAITING.toString();
        if (passing.isEmpty()) {
            return unbroken(name, Verdict.OPEN, "");
        }
        var largest = passing.get();
        if (largest.exceeds(scope.bypass())) {
            return violated(
                    name, largest.broken(scope.bypass()), largest.ending().orElseThrow());
        }
        return bounded.isEmpty() ? unbroken(name, Verdict.HOLDS, largest.kept()) : unbroken(name, Verdict.OPEN, "");
    }

    private static Report.Finding unbroken(String name, Verdict verdict, String words) {
        return new Report.Finding(name, verdict, words, List.of(), Schedule.EMPTY, OptionalInt.empty());
    }

    private Report.Finding violated(Findings.Found found) {
        return violated(found, List.of(), OptionalInt.empty());
    }

    private Report.Finding violated(String name, String words, Liveness.Ending ending) {
        var found = new Findings.Found(name, words, ending.state(), -1, null);
        int stem = shard(ending.state()).depth(ending.state());
        return violated(found, ending.moves(), ending.again() ? OptionalInt.of(stem) : OptionalInt.empty());
    }

    /** @param more what happens after the shortest way to the state that was found */
    private Report.Finding violated(Findings.Found found, List<Move> more, OptionalInt loop) {
        var states = statesTo(found.parent());
        var path = new Path(new Expander(scope, corners, globals), new Settling(corners), mirrors());
        path.follow(states);
        var moves = new ArrayList<>(path.moves());
        moves.addAll(more);
        var last = path.last(found);
        if (last.turn() != null) {
            moves.add(new Move(last.node(), last.turn()));
        }
        var schedule = new Ledger(stage, corners).names(path.starts(), moves);
        var told = more.isEmpty()
                ? Checker.retell(stage.protocol(), scope, schedule)
                : Checker.play(stage.protocol(), scope, schedule);
        return new Report.Finding(
                found.name(), Verdict.VIOLATED, found.words(), told.violating(found.name()), told.schedule(), loop);
    }

    /** From a beginning on. */
    private List<int[]> statesTo(int last) {
        var numbers = new ArrayList<Integer>();
        for (int number = last; number != NONE; number = shard(number).parent(number)) {
            numbers.add(number);
        }
        return effort.compact()
                ? new Trail(expander(), this::find).states(numbers.reversed())
                : numbers.reversed().stream()
                        .map(number -> shard(number).read(number))
                        .toList();
    }

    /** The number of a state among all; negative if it was not met. */
    private int find(int[] state) {
        return Shard.find(state, shards);
    }

    private Shard shard(int number) {
        return shards[number % shards.length];
    }
}

package habemus.check.search;

import habemus.check.ModelChecker;
import habemus.check.counterexample.CompactedPath;
import habemus.check.counterexample.InFlightLedger;
import habemus.check.counterexample.PathReconstruction;
import habemus.check.liveness.LivenessChecker;
import habemus.check.liveness.StateGraph;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.NodePermutation;
import habemus.check.model.NodeSemantics;
import habemus.check.model.ReductionAssumptions;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.check.reduction.EagerDelivery;
import habemus.check.reduction.SymmetryCanonicalizer;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.LocalStateTable;
import habemus.check.store.NodeTransition;
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
public final class BreadthFirstSearch {

    /** The parent of a state in which runs begin. */
    public static final int NO_PARENT = -1;

    /** How many states a shard expands before the batches are collected: few enough to stay in the cache. */
    private static final int STATES_PER_ROUND = 1 << 11;

    /** How long to say nothing to who looks on. */
    private static final long PROGRESS_INTERVAL_NANOS = 200_000_000;

    private final Scope scope;
    private final CheckOptions checkOptions;
    private final List<Property> properties;
    private final NodeSemantics<?, ?> nodeSemantics;
    private final GlobalStateTable globalStateTable;
    private final LocalStateTable localStateTable;
    private final ViolationCollector violationCollector;
    private final ReductionAssumptions reductionAssumptions;
    private final SearchShard[] searchShards;
    private final List<String> limitsReached = new ArrayList<>();
    private final List<String> unseen = new ArrayList<>();
    private final Map<Property, LivenessChecker.Continuation> endless = new EnumMap<>(Property.class);
    private Optional<LivenessChecker.BypassResult> bypassResult = Optional.empty();
    private final StateCountForecast stateCountForecast = new StateCountForecast();
    private List<String> stopWhenFound = List.of();
    private int depth;
    private long lastProgressNanos; // when

    public BreadthFirstSearch(
            NodeSemantics<?, ?> nodeSemantics, List<Property> properties, ReductionAssumptions reductionAssumptions) {
        this.reductionAssumptions = reductionAssumptions;
        this.nodeSemantics = nodeSemantics;
        this.properties = properties;
        scope = nodeSemantics.scope();
        var judged = properties.stream()
                .filter(property -> property != Property.BOUNDED_WAITING)
                .toList();
        globalStateTable = new GlobalStateTable(scope, judged);
        localStateTable = new LocalStateTable(nodeSemantics, globalStateTable, reductionAssumptions);
        violationCollector = new ViolationCollector(judged);
        checkOptions = scope.options();
        searchShards = new SearchShard[checkOptions.threads()];
        Arrays.setAll(
                searchShards, i -> new SearchShard(i, checkOptions, expander(), globalStateTable, violationCollector));
    }

    /** Ends when it has found all of these. */
    public BreadthFirstSearch stoppingWhenFound(List<String> names) {
        stopWhenFound = names;
        return this;
    }

    private SuccessorGenerator expander() {
        var eagerDelivery = reductionAssumptions.eagerDelivery() ? new EagerDelivery(localStateTable) : null;
        return new SuccessorGenerator(
                scope,
                localStateTable,
                globalStateTable,
                eagerDelivery,
                reductionAssumptions.hasSymmetry() ? mirrors() : null);
    }

    private SymmetryCanonicalizer mirrors() {
        return new SymmetryCanonicalizer(
                localStateTable,
                globalStateTable,
                reductionAssumptions.group(),
                scope.topology().size());
    }

    /**
     * What was found; nothing if something was taken for granted that is not so, and another search has to know better.
     *
     * @param end when to give up, as {@link System#nanoTime} tells the time
     */
    public Optional<CheckReport> run(long end) {
        addInitialStates();
        try (var shardWorkers = new ShardWorkers(searchShards)) {
            shardWorkers.forEachShard(searchShard -> searchShard.collect(searchShards));
            boolean more = true;
            for (int level = 0; more; level++) {
                more = expandLevel(shardWorkers, level, end);
            }
            if (!assumptionsHold()) {
                return Optional.empty();
            }
            if (limitsReached.isEmpty()) {
                judgeEndless(shardWorkers);
            }
        }
        return Optional.of(report());
    }

    private boolean assumptionsHold() {
        recheckAssumptions();
        return localStateTable.isEagerDeliveryProven() && reductionAssumptions.isSymmetryUnrefuted();
    }

    private void addInitialStates() {
        var successorGenerator = expander();
        var states = successorGenerator.initialStates().stream()
                .map(SuccessorGenerator.InitialState::state)
                .toList();
        for (NodePermutation nodePermutation : reductionAssumptions.group()) {
            var renamed = states.stream().map(state -> mirrors().permuted(nodePermutation, state));
            if (!renamed.allMatch(state -> states.stream().anyMatch(each -> Arrays.equals(each, state)))) {
                reductionAssumptions.refuted().add(nodePermutation);
            }
        }
        for (int[] state : states) {
            successorGenerator.reduce(state);
            searchShards[0].send(state, NO_PARENT);
        }
    }

    private void recheckAssumptions() {
        localStateTable.recheckAssumptions();
        globalStateTable.verifySymmetry(reductionAssumptions.group(), reductionAssumptions.refuted());
    }

    /** Expands what the level before has brought; tells whether there is a next one. */
    private boolean expandLevel(ShardWorkers shardWorkers, int level, long end) {
        long size = sum(SearchShard::beginLevel);
        if (size == 0) {
            return false;
        }
        if (level > checkOptions.maxDepth()) {
            limitsReached.add("at most %,d steps".formatted(checkOptions.maxDepth()));
            return false;
        }
        stateCountForecast.add(size);
        while (!Arrays.stream(searchShards).allMatch(SearchShard::isDone)) {
            shardWorkers.forEachShard(searchShard -> searchShard.expand(STATES_PER_ROUND));
            shardWorkers.forEachShard(searchShard -> searchShard.collect(searchShards));
            if (reachesLimit(end)) {
                return false;
            }
        }
        depth = Arrays.stream(searchShards).anyMatch(SearchShard::madeProgress) ? level : depth;
        recheckAssumptions();
        return reductionAssumptions.isSymmetryUnrefuted();
    }

    private boolean reachesLimit(long end) {
        if (checkOptions.stopAtViolation() && violationCollector.hasAny()) {
            limitsReached.add("stopped at the first violation");
        } else if (!stopWhenFound.isEmpty() && stopWhenFound.stream().allMatch(violationCollector::has)) {
            limitsReached.add("stopped when all was found that was sought");
        } else if (sum(SearchShard::size) >= checkOptions.maxStates()) {
            limitsReached.add("at most %,d states".formatted(checkOptions.maxStates()));
        } else if (bytes() >= checkOptions.maxBytes()) {
            limitsReached.add("at most %,d bytes: %,d states were met, %s"
                    .formatted(checkOptions.maxBytes(), sum(SearchShard::size), describeMemoryNeed()));
        } else if (System.nanoTime() >= end) {
            limitsReached.add("at most " + checkOptions.timeLimit().toMillis() + " ms");
        } else if (!shouldContinue()) {
            limitsReached.add("interrupted");
        }
        return !limitsReached.isEmpty();
    }

    /** What no single state shows: see {@link LivenessChecker}. */
    private void judgeEndless(ShardWorkers shardWorkers) {
        var open = properties.stream().filter(this::needsGraph).toList();
        if (open.isEmpty()) {
            return;
        }
        long bytes = bytes() + StateGraph.bytes(searchShards);
        if (checkOptions.hashCompaction()) {
            unseen.add("endless runs, of which hashes do not tell");
        } else if (bytes > checkOptions.maxBytes()) {
            unseen.add("endless runs, for which it takes %,d bytes of states and steps".formatted(bytes));
        } else if (!reductionAssumptions.reductions().isEmpty()) {
            if (open.contains(Property.BOUNDED_WAITING)
                    || new StateGraph(shardWorkers, searchShards, this::expander).hasCycle()) {
                unseen.add("endless runs, of which a reduced search does not tell");
            }
        } else {
            var livenessChecker = new LivenessChecker(
                    new StateGraph(shardWorkers, searchShards, this::expander),
                    nodeSemantics,
                    localStateTable,
                    globalStateTable);
            for (Property property : open) {
                if (property == Property.BOUNDED_WAITING) {
                    bypassResult = Optional.of(livenessChecker.maxBypass());
                } else {
                    livenessChecker
                            .findEndlessViolation(property)
                            .ifPresent(continuation -> endless.put(property, continuation));
                }
            }
        }
    }

    /** Where no step leads back there is no endless run, and what is true at rest is true in the end. */
    private boolean needsGraph(Property property) {
        return property == Property.BOUNDED_WAITING
                || property.when() == Property.When.EVENTUALLY
                        && violationCollector.find(property.toString()).isEmpty()
                        && Arrays.stream(searchShards).anyMatch(SearchShard::hasBackEdge);
    }

    private String describeMemoryNeed() {
        var expected = stateCountForecast.total();
        return expected.isEmpty()
                ? "no end is in sight"
                : "about %,d bytes would be needed"
                        .formatted(Math.round((double) bytes() / sum(SearchShard::size) * expected.getAsLong()));
    }

    /** What who looks on says to it; asked not too often. */
    private boolean shouldContinue() {
        long now = System.nanoTime();
        if (now - lastProgressNanos < PROGRESS_INTERVAL_NANOS) {
            return true;
        }
        lastProgressNanos = now;
        return checkOptions
                .progressListener()
                .shouldContinue(new CheckOptions.Progress(
                        sum(SearchShard::size),
                        sum(searchShard -> searchShard.transitions),
                        sum(SearchShard::frontier),
                        depth,
                        bytes(),
                        stateCountForecast.total()));
    }

    private long sum(ToLongFunction<SearchShard> what) {
        return Arrays.stream(searchShards).mapToLong(what).sum();
    }

    private long bytes() {
        return sum(SearchShard::bytes) + localStateTable.bytes() + globalStateTable.bytes();
    }

    private CheckReport report() {
        long beyond = sum(searchShard -> searchShard.beyondBound);
        if (beyond > 0) {
            limitsReached.add("%s: nothing after the %,d states beyond it"
                    .formatted(scope.bound().map(Scope.Bound::description).orElse(""), beyond));
        }
        var failures = Stream.of(CheckReport.PROTOCOL_BUG, CheckReport.IMPURE)
                .flatMap(name -> violationCollector.find(name).stream())
                .toList();
        failures.forEach(failure -> limitsReached.add("nothing after a " + failure.name()));
        var all = new ArrayList<CheckReport.Finding>();
        properties.forEach(property -> all.add(finding(property)));
        failures.forEach(failure -> all.add(violated(failure)));
        return new CheckReport(
                sum(SearchShard::size) - beyond,
                beyond,
                sum(searchShard -> searchShard.transitions),
                depth,
                sum(searchShard -> searchShard.quiescent),
                Stream.concat(limitsReached.stream(), unseen.stream()).toList(),
                bytes(),
                limitsReached.isEmpty()
                        ? bypassResult.stream()
                                .mapToInt(LivenessChecker.BypassResult::times)
                                .findFirst()
                        : OptionalInt.empty(),
                collisionProbability(),
                all,
                reductionAssumptions.reductions());
    }

    /** As many pairs as there are, each with the same hash by a chance of one in 2 to the 64. */
    private double collisionProbability() {
        double states = sum(SearchShard::size);
        return checkOptions.hashCompaction() ? Math.min(1, states * (states - 1) / 2 / 0x1p64) : 0;
    }

    private CheckReport.Finding finding(Property property) {
        if (property == Property.BOUNDED_WAITING) {
            return boundedWaiting();
        }
        var name = property.toString();
        var violation = violationCollector.find(name);
        if (violation.isPresent()) {
            return violated(violation.get());
        }
        var continuation = endless.get(property);
        if (continuation != null) {
            return violated(name, property.sentence(), continuation);
        }
        boolean open = !limitsReached.isEmpty()
                || violationCollector.isUndecided(property)
                || !unseen.isEmpty() && needsGraph(property);
        return unbroken(name, open ? Verdict.OPEN : Verdict.HOLDS, "");
    }

    private CheckReport.Finding boundedWaiting() {
        var name = Property.BOUNDED_WAITING.toString();
        if (bypassResult.isEmpty()) {
            return unbroken(name, Verdict.OPEN, "");
        }
        var largest = bypassResult.get();
        if (largest.exceeds(scope.bypassBound())) {
            return violated(
                    name,
                    largest.describeViolation(scope.bypassBound()),
                    largest.continuation().orElseThrow());
        }
        return limitsReached.isEmpty()
                ? unbroken(name, Verdict.HOLDS, largest.describeBound())
                : unbroken(name, Verdict.OPEN, "");
    }

    private static CheckReport.Finding unbroken(String name, Verdict verdict, String words) {
        return new CheckReport.Finding(name, verdict, words, List.of(), Schedule.EMPTY, OptionalInt.empty());
    }

    private CheckReport.Finding violated(ViolationCollector.Violation violation) {
        return violated(violation, List.of(), OptionalInt.empty());
    }

    private CheckReport.Finding violated(String name, String words, LivenessChecker.Continuation continuation) {
        var violation = new ViolationCollector.Violation(name, words, continuation.state(), -1, null);
        int stem = shard(continuation.state()).depth(continuation.state());
        return violated(
                violation,
                continuation.nodeTransitions(),
                continuation.repeats() ? OptionalInt.of(stem) : OptionalInt.empty());
    }

    /** @param more what happens after the shortest way to the state that was found */
    private CheckReport.Finding violated(
            ViolationCollector.Violation violation, List<NodeTransition> more, OptionalInt loop) {
        var states = statesTo(violation.parent());
        var pathReconstruction = new PathReconstruction(
                new SuccessorGenerator(scope, localStateTable, globalStateTable),
                new EagerDelivery(localStateTable),
                mirrors());
        pathReconstruction.follow(states);
        var nodeTransitions = new ArrayList<>(pathReconstruction.nodeTransitions());
        nodeTransitions.addAll(more);
        var last = pathReconstruction.actualViolation(violation);
        if (last.transition() != null) {
            nodeTransitions.add(new NodeTransition(last.node(), last.transition()));
        }
        var schedule = new InFlightLedger(nodeSemantics, localStateTable)
                .scheduleOf(pathReconstruction.starts(), nodeTransitions);
        var told = more.isEmpty()
                ? ModelChecker.playReadable(nodeSemantics.protocol(), scope, schedule)
                : ModelChecker.play(nodeSemantics.protocol(), scope, schedule);
        return new CheckReport.Finding(
                violation.name(),
                Verdict.VIOLATED,
                violation.description(),
                told.traceWithViolation(violation.name()),
                told.schedule(),
                loop);
    }

    /** From a beginning on. */
    private List<int[]> statesTo(int last) {
        var numbers = new ArrayList<Integer>();
        for (int number = last; number != NO_PARENT; number = shard(number).parent(number)) {
            numbers.add(number);
        }
        return checkOptions.hashCompaction()
                ? new CompactedPath(expander(), this::find).states(numbers.reversed())
                : numbers.reversed().stream()
                        .map(number -> shard(number).read(number))
                        .toList();
    }

    /** The number of a state among all; negative if it was not met. */
    private int find(int[] state) {
        return SearchShard.find(state, searchShards);
    }

    private SearchShard shard(int number) {
        return searchShards[number % searchShards.length];
    }
}

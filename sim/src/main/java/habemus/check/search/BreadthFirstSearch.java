package habemus.check.search;

import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.NodePermutation;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Visits all states level by level: first the initial states, then those one transition away, and so on. The threads
 * work on one level together, so the first violation of a property is a nearest one.
 */
public final class BreadthFirstSearch {

    /** The parent of an initial state. */
    public static final int NO_PARENT = -1;

    /** The states that a shard expands before the batches are collected: few enough to stay in the cache. */
    private static final int STATES_PER_ROUND = 1 << 11;

    private final StateSpace stateSpace;
    private final CheckOptions options;
    private final ViolationCollector violations;
    private final ResultCollector results;
    private final SearchShard[] shards;
    private final List<String> limitsReached = new ArrayList<>();
    private final StateCountForecast forecast = new StateCountForecast();
    private List<String> stopWhenFound = List.of();
    private int depth;

    /** @param properties the properties that the monitors of the state space check */
    public BreadthFirstSearch(StateSpace stateSpace, List<Property> properties) {
        this.stateSpace = stateSpace;
        options = stateSpace.scope().options();
        violations = new ViolationCollector(properties);
        results = new ResultCollector(stateSpace);
        shards = new SearchShard[options.workers().count()];
        Arrays.setAll(shards, i -> new SearchShard(i, options, stateSpace, violations, results));
    }

    /** Stops once violations with all of these names are found; if there are no names, it does not. */
    public BreadthFirstSearch stoppingWhenFound(List<String> names) {
        stopWhenFound = names;
        return this;
    }

    /**
     * Runs the search. If it refutes an assumption of its reductions, the result is empty: the next search has to do
     * without the assumption.
     *
     * @param deadlineNanos when to stop, in the time of {@link System#nanoTime}
     */
    public Optional<SearchResult> run(long deadlineNanos) {
        var stopSignal = new StopSignal(options, deadlineNanos);
        addInitialStates();
        try (var workers = new ShardWorkers(shards, options.workers())) {
            workers.forEachShard(shard -> shard.collect(shards));
            boolean more = true;
            for (int level = 0; more; level++) {
                more = expandLevel(workers, level, stopSignal);
            }
        }
        return stateSpace.assumptionsHold()
                ? Optional.of(new SearchResult(
                        stateSpace,
                        shards,
                        violations,
                        results,
                        new SearchResult.End(depth, limitsReached, stopSignal, options.workers())))
                : Optional.empty();
    }

    private void addInitialStates() {
        var assumptions = stateSpace.assumptions();
        var generator = stateSpace.reducedSuccessors();
        var states = generator.initialStates().stream()
                .map(SuccessorGenerator.InitialState::state)
                .toList();
        for (NodePermutation permutation : assumptions.group()) {
            var permuted =
                    states.stream().map(state -> stateSpace.canonicalizer().permuted(permutation, state));
            if (!permuted.allMatch(state -> states.stream().anyMatch(other -> Arrays.equals(other, state)))) {
                assumptions.refuted().refute(permutation);
            }
        }
        for (int[] state : states) {
            generator.reduce(state);
            shards[0].send(state, NO_PARENT);
        }
    }

    /** Expands the states of a level; returns whether there may be a next level. */
    private boolean expandLevel(ShardWorkers workers, int level, StopSignal stopSignal) {
        long size = sum(SearchShard::beginLevel);
        if (size == 0) {
            return false;
        }
        if (level > options.limits().maxDepth()) {
            limitsReached.add("at most %,d steps".formatted(options.limits().maxDepth()));
            return false;
        }
        forecast.add(size);
        while (!Arrays.stream(shards).allMatch(SearchShard::isDone)) {
            workers.forEachShard(shard -> shard.expand(STATES_PER_ROUND));
            workers.forEachShard(shard -> shard.collect(shards));
            if (reachesLimit(stopSignal)) {
                return false;
            }
        }
        depth = Arrays.stream(shards).anyMatch(SearchShard::madeProgress) ? level : depth;
        stateSpace.recheckAssumptions();
        return stateSpace.assumptions().isSymmetryUnrefuted();
    }

    private boolean reachesLimit(StopSignal stopSignal) {
        var limits = options.limits();
        if (limits.stop() == CheckOptions.Stop.AT_FIRST_VIOLATION && violations.hasAny()) {
            limitsReached.add(CheckReport.FIRST_VIOLATION);
        } else if (!stopWhenFound.isEmpty() && stopWhenFound.stream().allMatch(violations::has)) {
            limitsReached.add(CheckReport.ALL_DECIDED);
        } else if (sum(SearchShard::size) >= limits.maxStates()) {
            limitsReached.add("at most %,d states".formatted(limits.maxStates()));
        } else if (bytes() >= limits.maxBytes()) {
            limitsReached.add("at most %,d bytes: %,d states visited, %s"
                    .formatted(limits.maxBytes(), sum(SearchShard::size), describeMemoryNeed()));
        } else {
            stopSignal.reason(this::progress).ifPresent(limitsReached::add);
        }
        return !limitsReached.isEmpty();
    }

    private String describeMemoryNeed() {
        var expected = forecast.total();
        return expected.isEmpty()
                ? "total not predictable yet"
                : "about %,d bytes needed"
                        .formatted(Math.round((double) bytes() / sum(SearchShard::size) * expected.getAsLong()));
    }

    private CheckOptions.Progress progress() {
        return new CheckOptions.Progress(
                sum(SearchShard::size),
                sum(shard -> shard.transitions),
                sum(SearchShard::frontier),
                depth,
                bytes(),
                forecast.total());
    }

    private long sum(ToLongFunction<SearchShard> count) {
        return Arrays.stream(shards).mapToLong(count).sum();
    }

    private long bytes() {
        return sum(SearchShard::bytes) + stateSpace.bytes();
    }
}

package habemus.check.search;

import habemus.check.model.CheckOptions;
import habemus.check.model.Workers;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/** The visited states of a finished search, and the violations that single states or transitions show. */
public final class SearchResult {

    private final StateSpace stateSpace;
    private final SearchShard[] shards;
    private final ViolationCollector violations;
    private final ResultCollector results;
    private final End end;

    /**
     * How far a search came.
     *
     * @param limitsReached what ended the search before it was complete; empty if nothing did
     * @param stopSignal ends later work on the states, too
     * @param workers do later work, too
     */
    record End(int depth, List<String> limitsReached, StopSignal stopSignal, Workers workers) {
        End {
            limitsReached = List.copyOf(limitsReached);
        }
    }

    SearchResult(
            StateSpace stateSpace,
            SearchShard[] shards,
            ViolationCollector violations,
            ResultCollector results,
            End end) {
        this.stateSpace = stateSpace;
        this.shards = shards;
        this.violations = violations;
        this.results = results;
        this.end = end;
    }

    public StateSpace stateSpace() {
        return stateSpace;
    }

    public SearchShard[] shards() {
        return shards.clone();
    }

    /** Workers for later work on the shards. */
    public ShardWorkers startWorkers() {
        return new ShardWorkers(shards, end.workers);
    }

    /** The number of visited states, those beyond the bound included. */
    public long states() {
        return Arrays.stream(shards).mapToLong(SearchShard::size).sum();
    }

    public long beyondBound() {
        return Arrays.stream(shards).mapToLong(shard -> shard.beyondBound).sum();
    }

    public long transitions() {
        return Arrays.stream(shards).mapToLong(shard -> shard.transitions).sum();
    }

    public long quiescent() {
        return Arrays.stream(shards).mapToLong(shard -> shard.quiescent).sum();
    }

    public int depth() {
        return end.depth;
    }

    /** The approximate memory of all tables. */
    public long bytes() {
        return Arrays.stream(shards).mapToLong(SearchShard::bytes).sum() + stateSpace.bytes();
    }

    /** What ended the search before it was complete; empty if nothing did. */
    public List<String> limitsReached() {
        return end.limitsReached;
    }

    /** Begins work on the states of the search. */
    public void beginWork() {
        end.stopSignal.askListenerNext();
        stopIfNeeded();
    }

    /**
     * Called now and then by work on the states of the search.
     *
     * @throws SearchStoppedException at the deadline of the search, or if its listener ends it
     */
    public void stopIfNeeded() {
        end.stopSignal
                .reason(() ->
                        new CheckOptions.Progress(states(), transitions(), 0, end.depth, bytes(), OptionalLong.empty()))
                .ifPresent(limit -> {
                    throw new SearchStoppedException(limit);
                });
    }

    /** @param name as in {@link habemus.check.model.CheckReport.Finding} */
    public Optional<ViolationCollector.Violation> find(String name) {
        return violations.find(name);
    }

    /** The results of a program of threads, each with the number of a nearest state in which a run ends with it. */
    public SortedMap<Long, Integer> programResults() {
        return results.nearestStates();
    }

    /** Whether a run ended because the scope allows no more timeouts, and the property was not true there. */
    public boolean isUndecided(Property property) {
        return violations.isUndecided(property);
    }

    /** Whether a transition led to the same or an earlier level. If none did, every run ends. */
    public boolean hasBackEdge() {
        return Arrays.stream(shards).anyMatch(SearchShard::hasBackEdge);
    }

    /** The number of transitions on a shortest path to a state. */
    public int depth(int number) {
        return shard(number).depth(number);
    }

    /** The numbers of the states on a shortest path, from an initial state on. */
    public List<Integer> pathTo(int number) {
        var numbers = new ArrayList<Integer>();
        for (int at = number; at != BreadthFirstSearch.NO_PARENT; at = shard(at).parent(at)) {
            numbers.add(at);
        }
        return numbers.reversed();
    }

    /** A visited state; with hash compaction, the expanded ones cannot be read. */
    public int[] read(int number) {
        return shard(number).read(number);
    }

    /** The number of a state; negative if it was not visited. */
    public int find(int[] state) {
        return SearchShard.find(state, shards);
    }

    private SearchShard shard(int number) {
        return shards[number % shards.length];
    }
}

package habemus.service.raft;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jgroups.Address;

/**
 * Chooses the followers that get entries at once: enough for a majority with the leader, and the recent proposers,
 * which wait for their commit. The other followers get entries slightly later, in batches.
 */
final class EagerFollowers {

    private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<Address, Long> proposed = new ConcurrentHashMap<>(); // time of the last proposal
    private List<Address> first = List.of();

    /** Thread-safe. */
    void proposed(Address member, long now) {
        proposed.put(member, now);
    }

    /**
     * Chooses the voters with the highest match index, and among equals those that were chosen before. So a follower
     * that stops responding falls behind the others and is replaced.
     *
     * @param voters the connected voters except the leader
     * @param has the match index of a voter
     * @param needed number of followers that form a majority with the leader
     */
    Collection<Address> choose(Collection<Address> voters, ToLongFunction<Address> has, int needed, long now) {
        var before = first;
        first = voters.stream()
                .sorted(Comparator.comparingLong(has)
                        .reversed()
                        .thenComparingInt(member -> before.contains(member) ? 0 : 1))
                .limit(needed)
                .toList();
        var chosen = new ArrayList<>(first);
        proposed.values().removeIf(when -> now - when > RECENT_NANOS);
        proposed.keySet().stream().filter(member -> !chosen.contains(member)).forEach(chosen::add);
        return chosen;
    }
}

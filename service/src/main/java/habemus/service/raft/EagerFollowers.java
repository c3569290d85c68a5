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
 * Whom a leader sends entries at once: as many as make a majority with it, and who has proposed something lately, so
 * waits for it. The others are sent them a little later, together with what has come meanwhile.
 */
final class EagerFollowers {

    private static final long LATELY = TimeUnit.SECONDS.toNanos(1);

    private final Map<Address, Long> proposed = new ConcurrentHashMap<>(); // when, for the last time
    private List<Address> first = List.of();

    /** By any thread. */
    void proposed(Address member, long now) {
        proposed.put(member, now);
    }

    /**
     * Those who have most; among equals, those who were chosen before. So who does not answer, though others do who
     * are told later, is told later than these.
     *
     * @param voters those who are present, but the leader
     * @param has up to where one of them is known to have the log
     * @param needed how many make a majority with the leader
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
        proposed.values().removeIf(when -> now - when > LATELY);
        proposed.keySet().stream().filter(member -> !chosen.contains(member)).forEach(chosen::add);
        return chosen;
    }
}

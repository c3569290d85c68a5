package habemus.client;

import static java.util.Comparator.comparing;

import habemus.fenced.Parcel;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where nodes can be reached, which to try next, and how eagerly. For the driver's thread alone. */
final class Doors {

    private static final long SHORTEST_PAUSE = Duration.ofMillis(20).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMillis(320).toNanos();

    /** After so long what leads is given another chance. */
    private static final long FORGIVEN = Duration.ofSeconds(5).toNanos();

    /** @param mute whether nothing shows that somebody is there */
    private record Trouble(int times, long number, long at, boolean mute, String why) {

        private boolean isForgiven() {
            return System.nanoTime() - at > FORGIVEN;
        }
    }

    private final List<Door> given;
    private final Map<Door, Trouble> troubles = new HashMap<>();
    private List<Door> known;
    private Optional<Door> leading = Optional.empty();
    private long failures;

    Doors(List<String> doors) {
        given = doors.stream().map(Door::of).distinct().toList();
        known = given;
    }

    /**
     * The leader's, if nothing is known against it; else the one without trouble, or whose trouble is the oldest. Nodes
     * that were mute come last: others may only be waiting for a leader.
     */
    Door next(Optional<Door> but) {
        var others =
                known.stream().filter(door -> !but.equals(Optional.of(door))).toList();
        var choice = others.isEmpty() ? known : others;
        return leading.filter(choice::contains)
                .filter(this::isFine)
                .orElseGet(() -> choice.stream()
                        .min(comparing(this::isMute).thenComparingLong(this::lastTrouble))
                        .orElseThrow());
    }

    private boolean isFine(Door door) {
        var trouble = troubles.get(door);
        return trouble == null || trouble.isForgiven();
    }

    private boolean isMute(Door door) {
        var trouble = troubles.get(door);
        return trouble != null && trouble.mute && !trouble.isForgiven();
    }

    private long lastTrouble(Door door) {
        return Optional.ofNullable(troubles.get(door)).map(Trouble::number).orElse(0L);
    }

    /** Longer with every failure, and never the same for all clients of a node that is down. */
    Duration pauseBefore(Door door) {
        int times = Optional.ofNullable(troubles.get(door)).map(Trouble::times).orElse(0);
        if (times == 0) {
            return Duration.ZERO;
        }
        long most = Math.min(LONGEST_PAUSE, SHORTEST_PAUSE << Math.min(times, 10));
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(most / 2, most));
    }

    /** @param mute whether nothing shows that somebody is there */
    void failed(Door door, boolean mute, String why) {
        troubles.merge(
                door,
                new Trouble(1, ++failures, System.nanoTime(), mute, why),
                (old, now) -> new Trouble(old.times + 1, now.number, now.at, mute, why));
    }

    void served(Door door) {
        troubles.remove(door);
    }

    /** Whoever was named by the application stays known, whatever the nodes say. */
    void learn(Parcel.Welcome welcome) {
        var all = new LinkedHashSet<Door>();
        welcome.doors().forEach(door -> all.add(Door.of(door)));
        leading = welcome.doors().stream().skip(1).findFirst().map(Door::of); // maybe the first one again
        all.addAll(given);
        known = List.copyOf(all);
    }

    /** Where it is better to be, if anywhere. */
    Optional<Door> betterThan(Door here) {
        return leading.filter(door -> !door.equals(here) && isFine(door));
    }

    /** {@code a:7900: Connection refused; b:7900: no answer} */
    String troubles() {
        return known.stream()
                .flatMap(door -> Stream.ofNullable(troubles.get(door)).map(trouble -> door + ": " + trouble.why))
                .collect(Collectors.joining("; "));
    }
}

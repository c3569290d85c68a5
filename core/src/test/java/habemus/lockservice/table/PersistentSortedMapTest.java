package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PersistentSortedMapTest {

    @Test
    void the_map_behaves_like_a_tree_map() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new SplittableRandom(seed);
            PersistentSortedMap<Long, String> persistentSortedMap = PersistentSortedMap.empty();
            var map = new TreeMap<Long, String>();
            for (int i = 0; i < 100; i++) {
                long key = random.nextLong(30);
                if (random.nextInt(5) < 3) {
                    persistentSortedMap = persistentSortedMap.with(key, "v" + i);
                    map.put(key, "v" + i);
                } else {
                    persistentSortedMap = persistentSortedMap.without(key);
                    map.remove(key);
                }
                same(persistentSortedMap, map, random.nextLong(30));
            }
        }
    }

    private static void same(
            PersistentSortedMap<Long, String> persistentSortedMap, NavigableMap<Long, String> map, long key) {
        assertThat(persistentSortedMap).hasToString(map.toString());
        assertThat(persistentSortedMap.size()).isEqualTo(map.size());
        assertThat(persistentSortedMap.isEmpty()).isEqualTo(map.isEmpty());
        assertThat(persistentSortedMap.keys()).isEqualTo(List.copyOf(map.keySet()));
        assertThat(persistentSortedMap.values()).isEqualTo(List.copyOf(map.values()));
        assertThat(persistentSortedMap.view((k, value) -> value)).isEqualTo(List.copyOf(map.values()));
        assertThat(persistentSortedMap.get(key)).isEqualTo(Optional.ofNullable(map.get(key)));
        assertThat(persistentSortedMap.contains(key)).isEqualTo(map.containsKey(key));
        assertThat(persistentSortedMap.tailMap(key))
                .hasToString(map.tailMap(key).toString());
        assertThat(persistentSortedMap.firstValue())
                .isEqualTo(Optional.ofNullable(map.firstEntry()).map(Map.Entry::getValue));
        assertThat(persistentSortedMap.firstKey())
                .isEqualTo(map.keySet().stream().findFirst());
        assertThat(persistentSortedMap.lowerValue(key))
                .isEqualTo(Optional.ofNullable(map.lowerEntry(key)).map(Map.Entry::getValue));
    }

    @Test
    void maps_with_equal_entries_are_equal_whatever_their_history() {
        var keys = new ArrayList<Long>();
        for (long key = 0; key < 1_000; key++) {
            keys.add(key);
        }
        var sorted = PersistentSortedMap.of(keys, key -> key, key -> -key);
        Collections.shuffle(keys, new Random(1));
        var shuffled = PersistentSortedMap.of(keys, key -> key, key -> -key);
        assertThat(shuffled).isEqualTo(sorted).hasSameHashCodeAs(sorted);
        var detour = shuffled.with(5_000L, 1L).with(7L, 8L).without(5_000L).with(7L, -7L);
        assertThat(detour).isEqualTo(sorted).hasSameHashCodeAs(sorted);
        assertThat(sorted.tailMap(500L))
                .isEqualTo(PersistentSortedMap.of(keys, key -> key, key -> -key).tailMap(500L));
        assertThat(sorted.without(3L)).isNotEqualTo(sorted);
        assertThat(sorted.with(3L, 3L)).isNotEqualTo(sorted);
    }

    @Test
    void removing_a_missing_key_returns_the_same_map() {
        var persistentSortedMap = PersistentSortedMap.of(List.of(1L, 2L, 4L), key -> key, key -> key);
        assertThat(persistentSortedMap.without(3L)).isSameAs(persistentSortedMap);
    }

    @Test
    void a_hundred_thousand_ascending_keys_make_a_shallow_tree() {
        PersistentSortedMap<Long, Long> persistentSortedMap = PersistentSortedMap.empty();
        for (long key = 0; key < 100_000; key++) {
            persistentSortedMap = persistentSortedMap.with(key, key);
        }
        assertThat(depth(persistentSortedMap)).isLessThan(60);
    }

    private static int depth(PersistentSortedMap<Long, Long> persistentSortedMap) {
        return switch (persistentSortedMap) {
            case PersistentSortedMap.Empty<Long, Long>() -> 0;
            case PersistentSortedMap.Node<Long, Long> node -> 1 + Math.max(depth(node.left()), depth(node.right()));
        };
    }
}

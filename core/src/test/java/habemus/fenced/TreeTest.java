package habemus.fenced;

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

class TreeTest {

    @Test
    void it_does_what_a_sorted_map_does() {
        for (int seed = 0; seed < 200; seed++) {
            var chance = new SplittableRandom(seed);
            Tree<Long, String> tree = Tree.empty();
            var map = new TreeMap<Long, String>();
            for (int i = 0; i < 100; i++) {
                long key = chance.nextLong(30);
                if (chance.nextInt(5) < 3) {
                    tree = tree.with(key, "v" + i);
                    map.put(key, "v" + i);
                } else {
                    tree = tree.without(key);
                    map.remove(key);
                }
                same(tree, map, chance.nextLong(30));
            }
        }
    }

    private static void same(Tree<Long, String> tree, NavigableMap<Long, String> map, long key) {
        assertThat(tree).hasToString(map.toString());
        assertThat(tree.size()).isEqualTo(map.size());
        assertThat(tree.isEmpty()).isEqualTo(map.isEmpty());
        assertThat(tree.keys()).isEqualTo(List.copyOf(map.keySet()));
        assertThat(tree.values()).isEqualTo(List.copyOf(map.values()));
        assertThat(tree.get(key)).isEqualTo(Optional.ofNullable(map.get(key)));
        assertThat(tree.contains(key)).isEqualTo(map.containsKey(key));
        assertThat(tree.from(key)).hasToString(map.tailMap(key).toString());
        assertThat(tree.first()).isEqualTo(Optional.ofNullable(map.firstEntry()).map(Map.Entry::getValue));
        assertThat(tree.firstKey()).isEqualTo(map.keySet().stream().findFirst());
        assertThat(tree.before(key))
                .isEqualTo(Optional.ofNullable(map.lowerEntry(key)).map(Map.Entry::getValue));
    }

    @Test
    void equal_contents_are_equal_however_they_came_about() {
        var keys = new ArrayList<Long>();
        for (long key = 0; key < 1_000; key++) {
            keys.add(key);
        }
        var sorted = Tree.of(keys, key -> key, key -> -key);
        Collections.shuffle(keys, new Random(1));
        var shuffled = Tree.of(keys, key -> key, key -> -key);
        assertThat(shuffled).isEqualTo(sorted).hasSameHashCodeAs(sorted);
        var detour = shuffled.with(5_000L, 1L).with(7L, 8L).without(5_000L).with(7L, -7L);
        assertThat(detour).isEqualTo(sorted).hasSameHashCodeAs(sorted);
        assertThat(sorted.from(500L))
                .isEqualTo(Tree.of(keys, key -> key, key -> -key).from(500L));
        assertThat(sorted.without(3L)).isNotEqualTo(sorted);
        assertThat(sorted.with(3L, 3L)).isNotEqualTo(sorted);
    }

    @Test
    void what_is_not_there_changes_nothing_when_it_goes() {
        var tree = Tree.of(List.of(1L, 2L, 4L), key -> key, key -> key);
        assertThat(tree.without(3L)).isSameAs(tree);
    }

    @Test
    void a_hundred_thousand_in_a_row_are_not_deep() {
        Tree<Long, Long> tree = Tree.empty();
        for (long key = 0; key < 100_000; key++) {
            tree = tree.with(key, key);
        }
        assertThat(depth(tree)).isLessThan(60);
    }

    private static int depth(Tree<Long, Long> tree) {
        return switch (tree) {
            case Tree.Empty<Long, Long>() -> 0;
            case Tree.Fork<Long, Long> fork -> 1 + Math.max(depth(fork.left()), depth(fork.right()));
        };
    }
}

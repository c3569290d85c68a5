package habemus.protocol;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The types that may and may not be part of a state, a message or a durable state. */
@SuppressWarnings("ArrayRecordComponent") // the check rejects these too
class ValueTypeCheckTest {

    /** An algorithm that never runs: the tests only use its types. */
    private interface Unused<S, M> extends Mutex<S, M> {
        @Override
        default Step<S, M> start(Neighbourhood neighbourhood) {
            throw new UnsupportedOperationException();
        }

        @Override
        default Step<S, M> receive(S state, NodeId from, M message) {
            throw new UnsupportedOperationException();
        }

        @Override
        default Step<S, M> acquire(S state) {
            throw new UnsupportedOperationException();
        }

        @Override
        default Step<S, M> release(S state) {
            throw new UnsupportedOperationException();
        }
    }

    private record Good(int number, String text, NodeSet nodes, List<Duration> times) {}

    private record Box<T>(T content) {}

    private record WithArray(int[] counts) {}

    private record WithSet(Set<Integer> seen) {}

    private record WithSortedSet(SortedSet<Integer> seen) {}

    private record WithMap(Map<Integer, Integer> seen) {}

    private record WithHashMap(HashMap<Integer, Integer> seen) {}

    private record WithArrayList(ArrayList<Integer> seen) {}

    private record WithFunction(Function<Integer, Integer> rule) {}

    private record WithLambda(Runnable later) {}

    private record WithCounter(AtomicInteger count) {}

    private record WithObject(Object anything) {}

    private record WithOptional(Optional<String> perhaps) {}

    private record WithRawList(@SuppressWarnings("rawtypes") List raw) {}

    private record WithThread(Thread thread) {}

    private record WithInterface(Comparable<Integer> open) {}

    private record WithArrayOfLists(List<String>[] lists) {}

    private record WithListOfSomeSets(List<? extends Set<Integer>> sets) {}

    private static final class Plain {}

    private record WithPlain(Plain plain) {}

    static List<Protocol<?, ?>> withoutValues() {
        return List.of(
                new Unused<WithArray, Good>() {},
                new Unused<WithSet, Good>() {},
                new Unused<WithSortedSet, Good>() {},
                new Unused<WithMap, Good>() {},
                new Unused<WithHashMap, Good>() {},
                new Unused<WithArrayList, Good>() {},
                new Unused<WithFunction, Good>() {},
                new Unused<WithLambda, Good>() {},
                new Unused<WithCounter, Good>() {},
                new Unused<WithObject, Good>() {},
                new Unused<WithOptional, Good>() {},
                new Unused<WithRawList, Good>() {},
                new Unused<WithThread, Good>() {},
                new Unused<WithInterface, Good>() {},
                new Unused<WithPlain, Good>() {});
    }

    @ParameterizedTest
    @MethodSource("withoutValues")
    void a_state_with_a_part_that_is_no_value_is_rejected(Protocol<?, ?> algorithm) {
        assertThatThrownBy(() -> ValueTypeCheck.check(algorithm))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(".*ValueTypeCheckTest\\$With\\w+\\.\\w+ is an? .*");
    }

    @Test
    void an_array_of_generic_lists_is_rejected() {
        assertRejected(new Unused<WithArrayOfLists, Good>() {}, "WithArrayOfLists.lists is an array");
    }

    @Test
    void a_list_of_a_wildcard_of_sets_is_rejected() {
        assertRejected(new Unused<WithListOfSomeSets, Good>() {}, "java.util.Set");
    }

    @Test
    void states_and_messages_that_are_no_values_are_rejected() {
        assertRejected(new Unused<int[], Good>() {}, "int[] is an array");
        assertRejected(new Unused<Good, Set<Integer>>() {}, "java.util.Set");
        assertRejected(new Unused<Plain, Good>() {}, "Plain is a ");
        assertRejected(new Unused<Good, Object>() {}, "java.lang.Object");
        assertRejected(new Unused<List<int[]>, Good>() {}, "int[]> of is an array");
    }

    sealed interface Message {
        record Fine(int number) implements Message {}

        sealed interface Inner extends Message {
            record Deep(List<Level> levels) implements Inner {}
        }
    }

    private record Level(Box<List<WithSet>> next) {}

    @Test
    void the_error_names_the_path_to_a_part_deep_in_a_message_hierarchy() {
        assertRejected(new Unused<Good, Message>() {}, "Message$Inner$Deep.levels of.next of.seen is a java.util.Set,");
    }

    sealed interface Phase {
        record Idle() implements Phase {}

        final class Waiting implements Phase {}
    }

    abstract static sealed class Ancestor {
        static final class Child extends Ancestor {}
    }

    @Test
    void a_hierarchy_with_a_class_that_is_no_record_is_rejected() {
        assertRejected(new Unused<Box<Phase>, Good>() {}, "Phase$Waiting is a ");
        assertRejected(new Unused<Good, Ancestor>() {}, "Ancestor is a ");
    }

    private abstract static class WithDurableArray implements Unused<Good, Good>, Durable<Good, Good, WithArray> {}

    @Test
    void a_durable_state_that_is_no_value_is_rejected() {
        assertRejected(
                new WithDurableArray() {
                    @Override
                    public WithArray durableState(Good state) {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public Step<Good, Good> restart(Neighbourhood neighbourhood, WithArray memory) {
                        throw new UnsupportedOperationException();
                    }
                },
                "WithArray.counts is an array");
    }

    private static class Parent<X, Y> implements Unused<Y, X> {}

    private static class Grandparent<A> extends Parent<A, Good> {}

    private static class Boxing<X> implements Unused<Box<X>, Good> {}

    @Test
    void type_variables_of_a_superclass_are_resolved() {
        assertRejected(new Parent<Good, WithArray>() {}, "WithArray.counts is an array");
        assertRejected(new Grandparent<WithSet>() {}, "WithSet.seen is a java.util.Set");
        assertThatCode(() -> ValueTypeCheck.check(new Grandparent<Good>() {})).doesNotThrowAnyException();
    }

    @Test
    void type_variables_within_other_types_are_resolved() {
        assertRejected(new Boxing<WithArray>() {}, "WithArray.counts is an array");
        assertThatCode(() -> ValueTypeCheck.check(new Boxing<Good>() {})).doesNotThrowAnyException();
    }

    @Test
    void type_arguments_of_generic_records_are_checked() {
        assertRejected(new Unused<Box<int[]>, Box<String>>() {}, "an array");
        assertRejected(new Unused<Box<String>, Box<Box<Set<String>>>>() {}, "java.util.Set");
        assertThatCode(() -> ValueTypeCheck.check(new Unused<Box<String>, Box<Box<Long>>>() {}))
                .doesNotThrowAnyException();
    }

    private record Tree(String name, List<Tree> children) {}

    private enum Colour {
        RED,
        GREEN
    }

    private record Numbers(boolean a, byte b, char c, short d, int e, long f, float g, double h, Enum<?> i, Colour j) {}

    @Test
    void nested_and_recursive_values_are_accepted() {
        assertThatCode(() -> ValueTypeCheck.check(new Unused<Tree, Numbers>() {}))
                .doesNotThrowAnyException();
        assertThatCode(() -> ValueTypeCheck.check(new Unused<List<List<Colour>>, Integer>() {}))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("catalogue")
    void every_algorithm_of_the_catalogue_is_accepted(Algorithm algorithm) {
        assertThatCode(() -> ValueTypeCheck.check(algorithm.create(AlgorithmParameters.defaults())))
                .as(algorithm.name())
                .doesNotThrowAnyException();
    }

    static List<Algorithm> catalogue() {
        return Catalogue.ALL;
    }

    private record Holder(String name, Box<List<List<Integer>>> box) {}

    @Test
    void a_mutable_list_is_rejected_at_any_depth() {
        var lists = List.<List<Integer>>of(new ArrayList<>(List.of(1)), Arrays.asList(1, 2));
        for (List<Integer> open : lists) {
            assertThatThrownBy(() -> ValueTypeCheck.checkValue(open)).hasMessageContaining("a mutable list");
            assertThatThrownBy(() -> ValueTypeCheck.checkValue(new Holder("h", new Box<>(List.of(List.of(), open)))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(open.getClass().getName());
        }
        var view = Collections.unmodifiableList(new ArrayList<>(List.of(1)));
        assertThatThrownBy(() -> ValueTypeCheck.checkValue(view)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void immutable_lists_are_accepted() {
        var lists = List.of(List.of(), List.of(1), List.of(1, 2, 3), List.copyOf(new ArrayList<>(List.of(1, 2, 3))));
        assertThatCode(() -> ValueTypeCheck.checkValue(new Box<>(lists))).doesNotThrowAnyException();
    }

    @Test
    void lists_made_by_a_stream_are_accepted() {
        for (int size = 0; size < 5; size++) {
            var list = Collections.nCopies(size, 1).stream().toList();
            assertThatCode(() -> ValueTypeCheck.checkValue(new Box<>(list))).doesNotThrowAnyException();
        }
    }

    private static void assertRejected(Protocol<?, ?> algorithm, String reason) {
        assertThatThrownBy(() -> ValueTypeCheck.check(algorithm))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}

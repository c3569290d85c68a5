package habemus.world;

import static habemus.ProtocolFixture.n;
import static habemus.protocol.Operation.Kind.OFFER;
import static habemus.protocol.Operation.Kind.PUT_IF_ABSENT;
import static habemus.protocol.Operation.Kind.TAKE;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Milestone;
import habemus.protocol.Operation;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ThreadMonitorsTest {

    /** Whether the property holds after these events. */
    private static boolean holds(Property property, ObservableEvent... events) {
        var monitors = new MonitorSet(List.of(property), World.of(Topology.complete(4)), OptionalInt.empty());
        for (ObservableEvent event : events) {
            monitors.observe(event);
        }
        return monitors.verdicts(true).get(property) == Verdict.HOLDS;
    }

    private static ObservableEvent calls(int thread, Operation.Kind kind, int argument) {
        return new ObservableEvent.Reported(n(thread), new Milestone.Invoked(new Operation(kind, argument)));
    }

    private static ObservableEvent returns(int thread, int result) {
        return new ObservableEvent.Reported(n(thread), new Milestone.Returned(result));
    }

    private static ObservableEvent updates(int thread, int object, int amount) {
        return new ObservableEvent.Reported(n(thread), new Milestone.Updated(n(object), amount));
    }

    private static ObservableEvent stores(int object, int value) {
        return new ObservableEvent.Reported(n(object), new Milestone.Stored(value));
    }

    @Test
    void an_object_that_holds_all_updates_has_lost_none() {
        assertThat(holds(Property.NO_LOST_UPDATE, stores(3, 1), updates(1, 3, 1), stores(3, 2), updates(2, 3, 1)))
                .isTrue();
    }

    @Test
    void an_object_that_holds_less_than_all_updates_has_lost_one() {
        assertThat(holds(Property.NO_LOST_UPDATE, stores(3, 1), updates(1, 3, 1), stores(3, 1), updates(2, 3, 1)))
                .isFalse();
    }

    @Test
    void an_update_of_one_object_is_not_counted_for_another() {
        assertThat(holds(Property.NO_LOST_UPDATE, stores(3, 1), updates(1, 4, 1)))
                .isFalse();
    }

    @Test
    void a_thread_that_is_notified_has_not_lost_its_wakeup() {
        var parked = new ObservableEvent.Reported(n(3), new Milestone.Parked(n(1)));
        var unparked = new ObservableEvent.Reported(n(3), new Milestone.Unparked(n(1)));
        assertThat(holds(Property.NO_LOST_WAKEUP, parked)).isFalse();
        assertThat(holds(Property.NO_LOST_WAKEUP, parked, unparked)).isTrue();
    }

    @Test
    void one_of_two_concurrent_calls_sees_the_other() {
        assertThat(holds(
                        Property.LINEARIZABLE,
                        calls(1, PUT_IF_ABSENT, 1),
                        calls(2, PUT_IF_ABSENT, 2),
                        returns(2, 0),
                        returns(1, 2)))
                .isTrue();
    }

    @Test
    void two_calls_do_not_both_find_the_key_absent() {
        assertThat(holds(
                        Property.LINEARIZABLE,
                        calls(1, PUT_IF_ABSENT, 1),
                        calls(2, PUT_IF_ABSENT, 2),
                        returns(1, 0),
                        returns(2, 0)))
                .isFalse();
    }

    @Test
    void a_call_sees_what_returned_before_it_began() {
        assertThat(holds(
                        Property.LINEARIZABLE,
                        calls(1, PUT_IF_ABSENT, 1),
                        returns(1, 0),
                        calls(2, PUT_IF_ABSENT, 2),
                        returns(2, 0)))
                .isFalse();
    }

    @Test
    void a_take_returns_what_a_call_that_has_not_returned_may_have_offered() {
        assertThat(holds(Property.LINEARIZABLE, calls(1, OFFER, 7), calls(2, TAKE, 0), returns(2, 7)))
                .isTrue();
    }

    @Test
    void a_take_does_not_return_before_an_offer_begins() {
        assertThat(holds(Property.LINEARIZABLE, calls(2, TAKE, 0), returns(2, 7), calls(1, OFFER, 7)))
                .isFalse();
    }

    @Test
    void items_are_taken_in_the_order_in_which_they_were_offered() {
        var offers = List.of(calls(1, OFFER, 7), returns(1, 0), calls(1, OFFER, 8), returns(1, 0), calls(2, TAKE, 0));
        assertThat(holds(Property.LINEARIZABLE, with(offers, returns(2, 7)))).isTrue();
        assertThat(holds(Property.LINEARIZABLE, with(offers, returns(2, 8)))).isFalse();
    }

    private static ObservableEvent[] with(List<ObservableEvent> events, ObservableEvent last) {
        return Stream.concat(events.stream(), Stream.of(last)).toArray(ObservableEvent[]::new);
    }

    @Test
    void as_many_threads_as_the_limit_says_share_a_section() {
        var first = new ObservableEvent.EnteredShared(n(1), 2);
        var second = new ObservableEvent.EnteredShared(n(2), 2);
        var third = new ObservableEvent.EnteredShared(n(3), 2);
        assertThat(holds(Property.MUTUAL_EXCLUSION, first, second)).isTrue();
        assertThat(holds(Property.MUTUAL_EXCLUSION, first, second, third)).isFalse();
        assertThat(holds(Property.MUTUAL_EXCLUSION, first, second, new ObservableEvent.Exited(n(1)), third))
                .isTrue();
    }

    @Test
    void a_thread_that_needs_the_section_alone_shares_it_with_none() {
        var shared = new ObservableEvent.EnteredShared(n(1), 2);
        var alone = new ObservableEvent.Entered(n(2), 0);
        assertThat(holds(Property.MUTUAL_EXCLUSION, shared, alone)).isFalse();
        assertThat(holds(Property.MUTUAL_EXCLUSION, shared, new ObservableEvent.Exited(n(1)), alone))
                .isTrue();
    }
}

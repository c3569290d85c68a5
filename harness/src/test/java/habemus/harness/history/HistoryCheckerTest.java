package habemus.harness.history;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.harness.history.GuardedResource.Write;
import habemus.harness.history.HistoryChecker.Rule;
import habemus.harness.history.HistoryChecker.Violation;
import habemus.harness.history.HistoryEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Small histories and the rules that they violate. Times are in milliseconds. */
class HistoryCheckerTest {

    private final List<HistoryEvent> history = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();

    private HistoryCheckerTest at(long ms, String client, Kind kind, long request, long fence) {
        var names = kind == Kind.ELECTED || kind == Kind.DEPOSED ? List.of("leader") : List.of("x");
        history.add(new HistoryEvent(ms * 1_000_000, client, kind, request, false, names, fence, ""));
        return this;
    }

    /** Sets the detail of the last event. */
    private HistoryCheckerTest withDetail(String detail) {
        var last = history.removeLast();
        history.add(new HistoryEvent(
                last.atNanos(),
                last.client(),
                last.kind(),
                last.request(),
                last.isShared(),
                last.names(),
                last.fence(),
                detail));
        return this;
    }

    private HistoryCheckerTest shared(long ms, String client, Kind kind, long request, long fence) {
        history.add(new HistoryEvent(ms * 1_000_000, client, kind, request, true, List.of("x"), fence, ""));
        return this;
    }

    private List<Rule> violated() {
        return HistoryChecker.check(history, writes).violations().stream()
                .map(Violation::rule)
                .distinct()
                .toList();
    }

    @Test
    void consecutive_holds_violate_nothing() {
        at(1, "a", Kind.REQUESTED, 1, 0).at(2, "a", Kind.GRANTED, 1, 5).at(9, "a", Kind.VALID, 1, 5);
        at(10, "a", Kind.RELEASING, 1, 5).at(12, "a", Kind.RELEASED, 1, 5);
        at(3, "b", Kind.REQUESTED, 1, 0)
                .at(11, "b", Kind.GRANTED, 1, 7)
                .at(20, "b", Kind.LOST, 1, 7)
                .withDetail("LeaseExpired");
        at(4, "c", Kind.REQUESTED, 1, 0).at(21, "c", Kind.GRANTED, 1, 9).at(22, "c", Kind.RELEASING, 1, 9);
        writes.add(new Write("x", 5, "a", true));
        writes.add(new Write("x", 7, "b", true));
        writes.add(new Write("x", 5, "a", false));
        assertThat(violated()).isEmpty();
    }

    @Test
    void the_order_of_the_files_does_not_matter() {
        at(11, "b", Kind.GRANTED, 1, 7).at(12, "b", Kind.RELEASING, 1, 7);
        at(2, "a", Kind.GRANTED, 1, 5).at(10, "a", Kind.RELEASING, 1, 5);
        assertThat(violated()).isEmpty();
    }

    @Test
    void an_accepted_write_with_a_stale_fence_is_a_violation() {
        writes.add(new Write("x", 7, "b", true));
        writes.add(new Write("x", 5, "a", true));
        assertThat(violated()).containsExactly(Rule.NO_DOUBLE_WRITE);
    }

    @Test
    void writes_of_two_clients_with_one_fence_are_a_violation() {
        writes.add(new Write("x", 7, "a", true));
        writes.add(new Write("x", 7, "a", true));
        assertThat(violated()).isEmpty();
        writes.add(new Write("x", 7, "b", true));
        assertThat(violated()).containsExactly(Rule.NO_DOUBLE_WRITE);
    }

    @Test
    void two_grants_with_one_fence_are_a_violation() {
        at(1, "a", Kind.GRANTED, 1, 5).at(2, "a", Kind.RELEASING, 1, 5);
        at(3, "b", Kind.GRANTED, 1, 5).at(4, "b", Kind.RELEASING, 1, 5);
        assertThat(violated()).containsExactly(Rule.NO_DOUBLE_GRANT);
    }

    @Test
    void shared_holders_may_overlap_with_one_fence() {
        shared(1, "a", Kind.GRANTED, 1, 5).shared(9, "a", Kind.RELEASING, 1, 5);
        shared(2, "b", Kind.GRANTED, 1, 5).shared(8, "b", Kind.RELEASING, 1, 5);
        assertThat(violated()).isEmpty();
    }

    @Test
    void a_shared_and_an_exclusive_holder_must_not_overlap() {
        shared(1, "a", Kind.GRANTED, 1, 5).shared(9, "a", Kind.RELEASING, 1, 5);
        at(2, "b", Kind.GRANTED, 1, 6).at(3, "b", Kind.RELEASING, 1, 6);
        assertThat(violated()).containsExactly(Rule.NOTIFIED_BEFORE_REGRANT);
    }

    /** The log has lost its end, and numbers commands again. */
    @Test
    void a_forgotten_grant_shows_as_a_smaller_fence() {
        at(1, "a", Kind.REQUESTED, 1, 0).at(2, "a", Kind.GRANTED, 1, 8).at(3, "a", Kind.RELEASING, 1, 8);
        at(4, "b", Kind.REQUESTED, 1, 0).at(5, "b", Kind.GRANTED, 1, 7).at(6, "b", Kind.RELEASING, 1, 7);
        assertThat(violated()).containsExactly(Rule.FENCES_GROW_WITH_TIME);
    }

    @Test
    void an_earlier_request_may_get_a_smaller_fence_although_it_is_notified_later() {
        at(1, "a", Kind.REQUESTED, 1, 0).at(2, "a", Kind.GRANTED, 1, 8).at(3, "a", Kind.RELEASING, 1, 8);
        at(1, "b", Kind.REQUESTED, 1, 0).at(5, "b", Kind.GRANTED, 1, 7).at(6, "b", Kind.RELEASING, 1, 7);
        assertThat(violated()).isEmpty();
    }

    @Test
    void a_late_notification_is_a_violation() {
        at(1, "a", Kind.GRANTED, 1, 5).at(9, "a", Kind.LOST, 1, 5).withDetail("LeaseExpired");
        at(8, "b", Kind.GRANTED, 1, 6).at(10, "b", Kind.RELEASING, 1, 6);
        assertThat(violated()).containsExactly(Rule.NOTIFIED_BEFORE_REGRANT);
    }

    @Test
    void a_late_notification_of_a_paused_client_is_no_violation() {
        at(1, "a", Kind.GRANTED, 1, 5).at(5_010, "a", Kind.LOST, 1, 5).withDetail("LeaseExpired");
        at(3_000, "b", Kind.GRANTED, 1, 6).at(3_001, "b", Kind.RELEASING, 1, 6);
        at(5_000, "a", Kind.STALLED, 0, 0).withDetail("4000000000");
        assertThat(violated()).isEmpty();
        assertThat(HistoryChecker.check(history, writes).lateNotifications()).isEqualTo(1);
    }

    @Test
    void an_earlier_pause_does_not_excuse_a_late_notification() {
        at(1, "a", Kind.GRANTED, 1, 5).at(5_010, "a", Kind.LOST, 1, 5).withDetail("LeaseExpired");
        at(5_000, "b", Kind.GRANTED, 1, 6).at(5_001, "b", Kind.RELEASING, 1, 6);
        at(3_000, "a", Kind.STALLED, 0, 0).withDetail("2000000000");
        assertThat(violated()).containsExactly(Rule.NOTIFIED_BEFORE_REGRANT);
    }

    /** The client compares the lease with its clock, so a pause is no excuse. */
    @Test
    void a_paused_client_must_not_find_its_grant_valid_after_the_next_grant() {
        at(1, "a", Kind.GRANTED, 1, 5)
                .at(5_001, "a", Kind.VALID, 1, 5)
                .at(5_010, "a", Kind.LOST, 1, 5)
                .withDetail("LeaseExpired");
        at(3_000, "b", Kind.GRANTED, 1, 6).at(3_001, "b", Kind.RELEASING, 1, 6);
        at(5_000, "a", Kind.STALLED, 0, 0).withDetail("4000000000");
        assertThat(violated()).containsExactly(Rule.NEVER_VALID_TWICE);
    }

    @Test
    void a_killed_client_holds_until_its_last_event() {
        at(1, "a", Kind.GRANTED, 1, 5).at(5, "a", Kind.VALID, 1, 5);
        at(6, "b", Kind.GRANTED, 1, 6).at(7, "b", Kind.RELEASING, 1, 6);
        assertThat(violated()).isEmpty();
        at(8, "a", Kind.REQUESTED, 2, 0);
        assertThat(violated()).containsExactly(Rule.NOTIFIED_BEFORE_REGRANT);
    }

    @Test
    void a_forgotten_session_is_a_violation() {
        at(1, "a", Kind.GRANTED, 1, 5).at(5, "a", Kind.LOST, 1, 5).withDetail("SessionExpired");
        assertThat(violated()).containsExactly(Rule.RENEWED_SESSION_KNOWN);
    }

    @Test
    void a_candidate_is_elected_and_deposed_in_turn() {
        at(1, "a", Kind.ELECTED, 1, 5).at(2, "a", Kind.DEPOSED, 1, 5).withDetail("Resigned");
        at(3, "b", Kind.ELECTED, 1, 6).at(4, "b", Kind.DEPOSED, 1, 6).withDetail("LeaseExpired");
        assertThat(violated()).isEmpty();
        at(5, "b", Kind.DEPOSED, 1, 6).withDetail("LeaseExpired");
        assertThat(violated()).containsExactly(Rule.ELECTED_THEN_DEPOSED);
    }

    @Test
    void a_leader_must_not_be_elected_again() {
        at(1, "a", Kind.ELECTED, 1, 5).at(2, "a", Kind.ELECTED, 2, 7);
        assertThat(violated()).contains(Rule.ELECTED_THEN_DEPOSED);
    }

    @Test
    void two_leaders_must_not_overlap() {
        at(1, "a", Kind.ELECTED, 1, 5).at(4, "a", Kind.DEPOSED, 1, 5).withDetail("Resigned");
        at(3, "b", Kind.ELECTED, 1, 6).at(6, "b", Kind.DEPOSED, 1, 6).withDetail("Resigned");
        assertThat(violated()).containsExactly(Rule.NOTIFIED_BEFORE_REGRANT);
    }

    @Test
    void an_event_survives_formatting_and_parsing() {
        var event = new HistoryEvent(5, "c1-1", Kind.GRANTED, 3, true, List.of("one", "two"), 9, "LeaseExpired");
        assertThat(HistoryEvent.parse(event.line())).isEqualTo(event);
        var other = new HistoryEvent(5, "c1-1", Kind.STALLED, 0, false, List.of(), 0, "70000000");
        assertThat(HistoryEvent.parse(other.line())).isEqualTo(other);
    }
}

package habemus.lab.trace;

import static habemus.lab.TraceFixture.n;
import static habemus.lab.TraceFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import habemus.lab.SampleRuns;
import habemus.lab.TraceFixture;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import habemus.protocol.Stamp;
import habemus.world.Fault;
import habemus.world.InFlightMessage;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.TraceEvent.Fate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceJsonTest {

    private static String json(TraceEvent event) {
        return TraceJson.of(event, TimeScale.MILLIS).toString();
    }

    @Test
    void a_step_has_event_state_effects_and_sent_messages() {
        var message = request(1, 1);
        var waiting = new TraceFixture.Phase.Waiting(new Stamp(2, n(2)), NodeSet.of(n(1), n(3)));
        var event = new TraceEvent.Step(
                1_250,
                n(2),
                new Event.Received<>(n(1), message),
                4,
                new TraceFixture.State(n(2), 2, waiting),
                List.of(new Effect.Send<>(n(1), new TraceFixture.Reply(2))),
                List.of(new InFlightMessage(5, n(2), n(1), new TraceFixture.Reply(2))));

        assertThat(json(event)).isEqualTo("""
                        {"at":1.25,"what":"step","node":"n2",\
                        "event":{"type":"Received","from":"n1",\
                        "message":{"type":"Request","stamp":{"time":1,"node":"n1"}}},\
                        "messageNumber":4,\
                        "state":{"type":"State","self":"n2","clock":2,\
                        "phase":{"type":"Waiting","mine":{"time":2,"node":"n2"},"silent":["n1","n3"]}},\
                        "effects":[{"type":"Send","to":"n1","message":{"type":"Reply","clock":2}}],\
                        "sent":[{"number":5,"from":"n2","to":"n1","message":{"type":"Reply","clock":2}}]}""");
    }

    @Test
    void times_are_milliseconds_without_trailing_zeros() {
        assertThat(json(new TraceEvent.FaultInjected(10_000, new Fault.Heal()))).startsWith("{\"at\":10,");
        assertThat(json(new TraceEvent.FaultInjected(1, new Fault.Heal()))).startsWith("{\"at\":0.001,");
        var setTimer =
                new Effect.SetTimer<>(TraceFixture.Timer.OVERDUE, Duration.ofMillis(100), Duration.ofNanos(1_500_000));
        var event = new TraceEvent.Started(
                0, n(1), TraceEvent.Start.FIRST, TraceFixture.idle(1), List.of(setTimer), List.of());
        assertThat(json(event))
                .contains("{\"type\":\"SetTimer\",\"timer\":\"OVERDUE\",\"atLeast\":100,\"atMost\":1.5}");
    }

    @Test
    void faults_message_outcomes_and_violations_are_objects() {
        var cut = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(2), n(3)), false);

        assertThat(json(new TraceEvent.FaultInjected(0, cut)))
                .isEqualTo("{\"at\":0,\"what\":\"fault-injected\","
                        + "\"fault\":{\"type\":\"Cut\",\"from\":[\"n1\"],\"to\":[\"n2\",\"n3\"],\"bothWays\":false}}");
        assertThat(json(new TraceEvent.MessageOutcome(0, new InFlightMessage(1, n(1), n(2), "hello"), Fate.LOST)))
                .isEqualTo("{\"at\":0,\"what\":\"message-outcome\","
                        + "\"message\":{\"number\":1,\"from\":\"n1\",\"to\":\"n2\",\"message\":\"hello\"},"
                        + "\"fate\":\"LOST\"}");
        assertThat(json(new TraceEvent.Violated(0, Property.UNIQUENESS)))
                .isEqualTo("{\"at\":0,\"what\":\"violated\",\"property\":\"uniqueness\","
                        + "\"sentence\":\"at most one live node considers itself the leader\"}");
    }

    @Test
    void every_event_of_a_run_can_be_written_and_parsed() {
        for (TraceEvent event : SampleRuns.bullyWithCrash().events()) {
            assertThat(JsonParser.parseString(json(event))).isEqualTo(TraceJson.of(event, TimeScale.MILLIS));
        }
    }
}

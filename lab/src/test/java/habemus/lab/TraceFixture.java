package habemus.lab;

import habemus.lab.trace.Recording;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Stamp;
import habemus.world.Fault;
import habemus.world.InFlightMessage;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.TraceEvent.Fate;
import habemus.world.TraceEvent.Start;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Builds a trace by hand. All events have the same time until {@link #at} sets another. */
public final class TraceFixture {

    public record Request(Stamp stamp) {}

    public record Reply(long clock) {}

    public sealed interface Phase {
        record Idle() implements Phase {}

        record Waiting(Stamp mine, NodeSet silent) implements Phase {}
    }

    public record State(NodeId self, long clock, Phase phase) {}

    public enum Timer {
        OVERDUE
    }

    private final List<TraceEvent> events = new ArrayList<>();
    private final Map<Long, InFlightMessage> inFlightMessages = new HashMap<>();
    private final int nodes;
    private long now;
    private long number;

    private TraceFixture(int nodes) {
        this.nodes = nodes;
    }

    public static TraceFixture of(int nodes) {
        return new TraceFixture(nodes);
    }

    public static NodeId n(int number) {
        return new NodeId(number);
    }

    public static Request request(long time, int node) {
        return new Request(new Stamp(time, n(node)));
    }

    public TraceFixture at(long micros) {
        now = micros;
        return this;
    }

    public TraceFixture acquires(int node) {
        return steps(node, new Event.Acquire<>());
    }

    public TraceFixture releases(int node) {
        return steps(node, new Event.Release<>());
    }

    public TraceFixture enters(int node, long fence) {
        return steps(node, new Event.Timeout<>(Timer.OVERDUE), new Effect.Grant<>(fence));
    }

    public TraceFixture elects(int node, int leader, long term) {
        return steps(node, new Event.Timeout<>(Timer.OVERDUE), new Effect.Elected<>(n(leader), term));
    }

    public TraceFixture steps(int node, Event<?> event, Effect<?>... effects) {
        events.add(new TraceEvent.Step(now, n(node), event, 0, idle(node), List.of(effects), List.of()));
        return this;
    }

    /** Messages are numbered from one, in the order of sending. */
    public TraceFixture sends(int from, int to, Object message) {
        var inFlightMessage = new InFlightMessage(++number, n(from), n(to), message);
        inFlightMessages.put(number, inFlightMessage);
        List<Effect<Object>> effects = List.of(new Effect.Send<>(n(to), message));
        events.add(new TraceEvent.Step(
                now, n(from), new Event.Timeout<>(Timer.OVERDUE), 0, idle(from), effects, List.of(inFlightMessage)));
        return this;
    }

    public TraceFixture receives(long mail) {
        var sent = inFlightMessages.get(mail);
        var event = new Event.Received<>(sent.from(), sent.message());
        events.add(
                new TraceEvent.Step(now, sent.to(), event, mail, idle(sent.to().number()), List.of(), List.of()));
        return this;
    }

    public TraceFixture endsAs(long mail, Fate fate) {
        events.add(new TraceEvent.MessageOutcome(now, inFlightMessages.get(mail), fate));
        return this;
    }

    public TraceFixture injects(Fault fault) {
        events.add(new TraceEvent.FaultInjected(now, fault));
        return this;
    }

    public TraceFixture starts(int node, Start how) {
        events.add(new TraceEvent.Started(now, n(node), how, idle(node), List.of(), List.of()));
        return this;
    }

    public TraceFixture violates(Property property) {
        return adds(new TraceEvent.Violated(now, property));
    }

    public TraceFixture adds(TraceEvent traceEvent) {
        events.add(traceEvent);
        return this;
    }

    public List<TraceEvent> events() {
        return List.copyOf(events);
    }

    public Recording recording() {
        return recording("a run");
    }

    public Recording recording(String title) {
        var all = IntStream.rangeClosed(1, nodes).mapToObj(NodeId::new).toList();
        return new Recording(title, all, events);
    }

    public static State idle(int node) {
        return new State(n(node), 0, new Phase.Idle());
    }
}

package habemus.lab;

import habemus.lab.trace.Recording;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Stamp;
import habemus.world.Fault;
import habemus.world.Mail;
import habemus.world.Property;
import habemus.world.TraceLine;
import habemus.world.TraceLine.Fate;
import habemus.world.TraceLine.Start;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A trace written by hand. Times are in microseconds and stand still until told otherwise. */
public final class Story {

    public record Request(Stamp stamp) {}

    public record Reply(long clock) {}

    public sealed interface Phase {
        record Idle() implements Phase {}

        record Waiting(Stamp mine, NodeSet silent) implements Phase {}
    }

    public record State(NodeId self, long clock, Phase phase) {}

    public enum Alarm {
        OVERDUE
    }

    private final List<TraceLine> lines = new ArrayList<>();
    private final Map<Long, Mail> mails = new HashMap<>();
    private final int nodes;
    private long now;
    private long number;

    private Story(int nodes) {
        this.nodes = nodes;
    }

    public static Story of(int nodes) {
        return new Story(nodes);
    }

    public static NodeId n(int number) {
        return new NodeId(number);
    }

    public static Request request(long time, int node) {
        return new Request(new Stamp(time, n(node)));
    }

    public Story at(long micros) {
        now = micros;
        return this;
    }

    public Story acquires(int node) {
        return steps(node, new Event.Acquire<>());
    }

    public Story releases(int node) {
        return steps(node, new Event.Release<>());
    }

    public Story enters(int node, long fence) {
        return steps(node, new Event.Elapsed<>(Alarm.OVERDUE), new Effect.Grant<>(fence));
    }

    public Story names(int node, int leader, long term) {
        return steps(node, new Event.Elapsed<>(Alarm.OVERDUE), new Effect.Elected<>(n(leader), term));
    }

    public Story steps(int node, Event<?> event, Effect<?>... effects) {
        lines.add(new TraceLine.Stepped(now, n(node), event, 0, idle(node), List.of(effects), List.of()));
        return this;
    }

    /** Its messages are numbered from one, in the order of sending. */
    public Story sends(int from, int to, Object message) {
        var mail = new Mail(++number, n(from), n(to), message);
        mails.put(number, mail);
        List<Effect<Object>> effects = List.of(new Effect.Send<>(n(to), message));
        lines.add(new TraceLine.Stepped(
                now, n(from), new Event.Elapsed<>(Alarm.OVERDUE), 0, idle(from), effects, List.of(mail)));
        return this;
    }

    public Story receives(long mail) {
        var it = mails.get(mail);
        var event = new Event.Received<>(it.from(), it.message());
        lines.add(new TraceLine.Stepped(now, it.to(), event, mail, idle(it.to().number()), List.of(), List.of()));
        return this;
    }

    public Story fares(long mail, Fate fate) {
        lines.add(new TraceLine.Fared(now, mails.get(mail), fate));
        return this;
    }

    public Story strikes(Fault fault) {
        lines.add(new TraceLine.Struck(now, fault));
        return this;
    }

    public Story starts(int node, Start how) {
        lines.add(new TraceLine.Started(now, n(node), how, idle(node), List.of(), List.of()));
        return this;
    }

    public Story violates(Property property) {
        return says(new TraceLine.Violated(now, property));
    }

    public Story says(TraceLine line) {
        lines.add(line);
        return this;
    }

    public List<TraceLine> lines() {
        return List.copyOf(lines);
    }

    public Recording recording() {
        return recording("a story");
    }

    public Recording recording(String title) {
        var all = IntStream.rangeClosed(1, nodes).mapToObj(NodeId::new).toList();
        return new Recording(title, all, lines);
    }

    public static State idle(int node) {
        return new State(n(node), 0, new Phase.Idle());
    }
}

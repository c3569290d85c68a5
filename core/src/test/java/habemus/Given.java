package habemus;

import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Place;
import habemus.protocol.Protocol;
import habemus.protocol.Stamp;
import habemus.protocol.Step;
import habemus.world.Topology;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * A node in a state that it has reached by real steps, with the effects of the last of them:
 * {@code node(2, 3, bully).campaigns().gets(answer, n(3)).effects()}.
 */
public final class Given<S, M> {

    private final Protocol<S, M> protocol;
    private final Step<S, M> last;

    private Given(Protocol<S, M> protocol, Step<S, M> last) {
        this.protocol = protocol;
        this.last = last;
    }

    /** One of {@code size} nodes that can all talk to each other; it has just started. */
    public static <S, M> Given<S, M> node(int number, int size, Protocol<S, M> protocol) {
        return node(place(number, size), protocol);
    }

    public static <S, M> Given<S, M> node(Place place, Protocol<S, M> protocol) {
        return new Given<>(protocol, protocol.start(place));
    }

    /** It comes back with what it had on disk. */
    public static <S, M, D> Given<S, M> restarted(int number, int size, Durable<S, M, D> protocol, D memory) {
        return new Given<>(protocol, protocol.restart(place(number, size), memory));
    }

    private static Place place(int number, int size) {
        return Topology.complete(size).place(n(number));
    }

    public Given<S, M> acquires() {
        return on(new Event.Acquire<>());
    }

    public Given<S, M> releases() {
        return on(new Event.Release<>());
    }

    public Given<S, M> campaigns() {
        return on(new Event.Campaign<>());
    }

    public Given<S, M> gets(M message, NodeId from) {
        return on(new Event.Received<>(from, message));
    }

    public Given<S, M> hears(Enum<?> alarm) {
        return on(new Event.Elapsed<>(alarm));
    }

    public Given<S, M> rolls(int outcome) {
        return on(new Event.Rolled<>(outcome));
    }

    public Given<S, M> suspects(int... peers) {
        var node = this;
        for (int peer : peers) {
            node = node.on(new Event.Suspect<>(n(peer)));
        }
        return node;
    }

    public Given<S, M> restores(int peer) {
        return on(new Event.Restore<>(n(peer)));
    }

    private Given<S, M> on(Event<M> event) {
        return new Given<>(protocol, protocol.step(last.state(), event));
    }

    public S state() {
        return last.state();
    }

    /** All effects of the last step, in order. */
    public List<Effect<M>> effects() {
        return last.effects();
    }

    public static NodeId n(int number) {
        return new NodeId(number);
    }

    public static NodeSet nodes(int... numbers) {
        return NodeSet.of(Arrays.stream(numbers).mapToObj(Given::n).toList());
    }

    public static Stamp stamp(long time, int node) {
        return new Stamp(time, n(node));
    }

    public static <M> Effect<M> send(int to, M message) {
        return new Effect.Send<>(n(to), message);
    }

    public static <M> Effect<M> sendAll(NodeSet to, M message) {
        return new Effect.SendAll<>(to, message);
    }

    public static <M> Effect<M> wake(Enum<?> alarm, Duration after) {
        return new Effect.Wake<>(alarm, after, after);
    }

    public static <M> Effect<M> calm(Enum<?> alarm) {
        return new Effect.Calm<>(alarm);
    }

    public static <M> Effect<M> grant(Stamp fence) {
        return new Effect.Grant<>(fence.asFence());
    }

    public static <M> Effect<M> grant(long fence) {
        return new Effect.Grant<>(fence);
    }

    public static <M> Effect<M> lost() {
        return new Effect.Lost<>();
    }

    public static <M> Effect<M> suspect(int peer) {
        return new Effect.Suspect<>(n(peer));
    }

    public static <M> Effect<M> restore(int peer) {
        return new Effect.Restore<>(n(peer));
    }

    public static <M> Effect<M> elected(int leader, long term) {
        return new Effect.Elected<>(n(leader), term);
    }
}

package habemus;

import habemus.protocol.ByteString;
import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.EntryId;
import habemus.protocol.Event;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.LogReply;
import habemus.protocol.MembershipAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.Stamp;
import habemus.protocol.Step;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A node in a state that it has reached by real steps, and the effects of the last step:
 * {@code node(2, 3, bully).campaigns().receives(answer, n(3)).effects()}.
 */
public final class ProtocolFixture<S, M> {

    private final Protocol<S, M> protocol;
    private final Step<S, M> last;

    private ProtocolFixture(Protocol<S, M> protocol, Step<S, M> last) {
        this.protocol = protocol;
        this.last = last;
    }

    /** A node that has just started, in a complete graph of {@code size} nodes. */
    public static <S, M> ProtocolFixture<S, M> node(int number, int size, Protocol<S, M> protocol) {
        return node(neighbourhood(number, size), protocol);
    }

    public static <S, M> ProtocolFixture<S, M> node(Neighbourhood neighbourhood, Protocol<S, M> protocol) {
        return new ProtocolFixture<>(protocol, protocol.start(neighbourhood));
    }

    /** A node that has just restarted with this durable state. */
    public static <S, M, D> ProtocolFixture<S, M> restarted(
            int number, int size, Durable<S, M, D> protocol, D durableState) {
        return new ProtocolFixture<>(protocol, protocol.restart(neighbourhood(number, size), durableState));
    }

    private static Neighbourhood neighbourhood(int number, int size) {
        var others =
                IntStream.rangeClosed(1, size).filter(other -> other != number).mapToObj(NodeId::new);
        return new Neighbourhood(n(number), others.toList());
    }

    public ProtocolFixture<S, M> acquires() {
        return on(new Event.Acquire<>());
    }

    public ProtocolFixture<S, M> releases() {
        return on(new Event.Release<>());
    }

    public ProtocolFixture<S, M> campaigns() {
        return on(new Event.Campaign<>());
    }

    public ProtocolFixture<S, M> receives(M message, NodeId from) {
        return on(new Event.Received<>(from, message));
    }

    public ProtocolFixture<S, M> timesOut(Enum<?> timer) {
        return on(new Event.Timeout<>(timer));
    }

    public ProtocolFixture<S, M> draws(int value) {
        return on(new Event.Drawn<>(value));
    }

    public ProtocolFixture<S, M> suspects(int... peers) {
        var node = this;
        for (int peer : peers) {
            node = node.on(new Event.Suspect<>(n(peer)));
        }
        return node;
    }

    public ProtocolFixture<S, M> restores(int peer) {
        return on(new Event.Restore<>(n(peer)));
    }

    /** A node that has just joined a view with all nodes up to {@code size}. */
    public static <S, M> ProtocolFixture<S, M> joining(
            int number, int size, long view, MembershipAware<S, M> protocol) {
        return new ProtocolFixture<>(protocol, protocol.join(neighbourhood(number, size), view));
    }

    public ProtocolFixture<S, M> learnsThatJoined(int peer, long view) {
        return on(new Event.Joined<>(n(peer), view));
    }

    public ProtocolFixture<S, M> learnsThatLeft(int peer, long view) {
        return on(new Event.Left<>(n(peer), view));
    }

    public ProtocolFixture<S, M> leaves() {
        return on(new Event.Leave<>());
    }

    public ProtocolFixture<S, M> forwards(M message, NodeId from) {
        return on(new Event.Forward<>(from, message));
    }

    public ProtocolFixture<S, M> calls(LogCall call) {
        return on(new Event.Call<>(call));
    }

    public ProtocolFixture<S, M> syncs(EntryId last) {
        return on(new Event.Synced<>(last));
    }

    private ProtocolFixture<S, M> on(Event<M> event) {
        return new ProtocolFixture<>(protocol, protocol.step(last.state(), event));
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
        return NodeSet.of(Arrays.stream(numbers).mapToObj(ProtocolFixture::n).toList());
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

    public static <M> Effect<M> setTimer(Enum<?> timer, Duration after) {
        return new Effect.SetTimer<>(timer, after, after);
    }

    public static <M> Effect<M> cancelTimer(Enum<?> timer) {
        return new Effect.CancelTimer<>(timer);
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

    public static <M> Effect<M> apply(long firstIndex, LogEntry... entries) {
        return new Effect.Apply<>(firstIndex, List.of(entries));
    }

    public static <M> Effect<M> load(long index, ByteString snapshot) {
        return new Effect.Load<>(index, snapshot);
    }

    public static <M> Effect<M> reply(long id, LogReply reply) {
        return new Effect.Reply<>(id, reply);
    }
}

package habemus.protocol;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the effects of a node's steps, in order. Every runtime uses it, so an effect means the same in each of
 * them.
 *
 * <p>Two kinds of effects come back to the node as events, before any other event reaches it. They are random values
 * that it draws, and messages that it sends to itself. The other effects go to the {@link Environment}.
 *
 * <p>Not thread-safe. One executor may serve several nodes if the caller takes all local events of a node before it
 * turns to the next node.
 */
public final class EffectExecutor<M> {

    /** What a runtime does for a node. */
    public interface Environment<M> {

        /** @param to the number of another node */
        void send(int to, M message);

        void setTimer(Effect.SetTimer<M> setTimer);

        void cancelTimer(Enum<?> timer);

        /** Returns a random value from zero to less than {@code bound}. */
        int draw(int bound);

        /** @param effect a Grant, Elected, Lost, Suspect, Restore, Apply, Load, Reply or Report */
        void notifyApplication(Effect<M> effect);
    }

    /** A node that takes more local events in a row never stops. */
    private static final int LOCAL_EVENTS_MAX = 1_000;

    private final Environment<M> environment;
    private final ArrayDeque<Integer> draws = new ArrayDeque<>();
    private final ArrayDeque<M> selfMessages = new ArrayDeque<>();
    private int localEvents;

    public EffectExecutor(Environment<M> environment) {
        this.environment = environment;
    }

    public void execute(NodeId self, List<Effect<M>> effects) {
        for (int i = 0; i < effects.size(); i++) {
            switch (effects.get(i)) {
                case Effect.Send<M>(var to, var message) -> send(self, to.number(), message);
                case Effect.SendAll<M>(var to, var message) -> to.forEachNumber(each -> send(self, each, message));
                case Effect.SetTimer<M> setTimer -> environment.setTimer(setTimer);
                case Effect.CancelTimer<M>(var timer) -> environment.cancelTimer(timer);
                case Effect.Draw<M>(var bound) -> draws.add(environment.draw(bound));
                case Effect.Grant<M> grant -> environment.notifyApplication(grant);
                case Effect.Elected<M> elected -> environment.notifyApplication(elected);
                case Effect.Lost<M> lost -> environment.notifyApplication(lost);
                case Effect.Suspect<M> suspect -> environment.notifyApplication(suspect);
                case Effect.Restore<M> restore -> environment.notifyApplication(restore);
                case Effect.Apply<M> apply -> environment.notifyApplication(apply);
                case Effect.Load<M> load -> environment.notifyApplication(load);
                case Effect.Reply<M> reply -> environment.notifyApplication(reply);
                case Effect.Report<M> report -> environment.notifyApplication(report);
            }
        }
    }

    private void send(NodeId self, int to, M message) {
        if (to == self.number()) {
            selfMessages.add(message);
        } else {
            environment.send(to, message);
        }
    }

    /**
     * Removes and returns the next event that the node's own effects caused; null if there is none. Drawn values come
     * before messages to itself.
     *
     * @param state of the node, for the message of the exception
     * @throws ProtocolBug if the node keeps causing events for itself
     */
    public @Nullable Event<M> nextLocalEvent(NodeId self, Object state) {
        if (draws.isEmpty() && selfMessages.isEmpty()) {
            localEvents = 0;
            return null;
        }
        ProtocolBug.unless(localEvents++ < LOCAL_EVENTS_MAX, "an endless chain of messages to itself", state);
        return draws.isEmpty() ? new Event.Received<>(self, selfMessages.remove()) : new Event.Drawn<>(draws.remove());
    }
}

package habemus.service.record;

import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.Place;
import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.wire.Blob;
import habemus.wire.Codec;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes every step of a trace once more, with the pure machine, and compares. */
final class Reenactment<S, M> {

    private final Protocol<S, M> protocol;
    private final Place place;
    private @Nullable S state;

    Reenactment(Protocol<S, M> protocol, Place place) {
        this.protocol = protocol;
        this.place = place;
    }

    /** What differs; nothing if all of it is as it was recorded. */
    Optional<String> differs(Trace<S, M> trace) {
        for (int i = 0; i < trace.lines().size(); i++) {
            var differs = switch (trace.lines().get(i)) {
                case Line.Started<S, M> started ->
                    compare(() -> start(started.memory()), started.state(), started.effects());
                case Line.Stepped<S, M> stepped ->
                    compare(() -> step(stepped.event()), stepped.state(), stepped.effects());
                case Line.Stumbled<S, M> stumbled -> stumbles(stumbled);
                case Line.Alive<S, M> alive -> Optional.<String>empty();
                case Line.Stopped<S, M> stopped -> Optional.<String>empty();
            };
            if (differs.isPresent()) {
                var where = trace.head().node() + "#" + trace.head().incarnation() + ", line " + (i + 1);
                return differs.map(what -> where + ": " + what);
            }
        }
        return Optional.empty();
    }

    private Step<S, M> start(Blob memory) {
        return memory.size() == 0 || !(protocol instanceof Durable<S, M, ?> durable)
                ? protocol.start(place)
                : restart(durable, memory);
    }

    private <D> Step<S, M> restart(Durable<S, M, D> durable, Blob memory) {
        return durable.restart(place, Codec.ofMemories(durable).read(memory.open()));
    }

    private Step<S, M> step(Event<M> event) {
        if (state == null) {
            throw new IllegalArgumentException("a step before the start");
        }
        return protocol.step(state, event);
    }

    private Optional<String> stumbles(Line.Stumbled<S, M> then) {
        try {
            return Optional.of("recorded was a bug: " + then.why() + "; the machine says " + step(then.event()));
        } catch (RuntimeException bug) {
            return String.valueOf(bug.getMessage()).equals(then.why())
                    ? Optional.empty()
                    : Optional.of("recorded was a bug: " + then.why() + "; the machine has another: " + bug);
        }
    }

    private Optional<String> compare(Supplier<Step<S, M>> again, S then, List<Effect<M>> effects) {
        Step<S, M> step;
        try {
            step = again.get();
        } catch (ProtocolBug | IllegalArgumentException impossible) {
            return Optional.of("the machine refuses this step: " + impossible.getMessage());
        }
        state = step.state();
        if (!step.state().equals(then)) {
            return Optional.of("recorded was the state " + then + ", the machine says " + step.state());
        }
        return step.effects().equals(effects)
                ? Optional.empty()
                : Optional.of("recorded were " + effects + ", the machine says " + step.effects());
    }
}

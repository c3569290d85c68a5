package habemus.service.trace;

import habemus.codec.ByteString;
import habemus.codec.Codec;
import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.Neighbourhood;
import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes every step of a trace once more, with the pure machine, and compares. */
final class ConformanceReplay<S, M> {

    private final Protocol<S, M> protocol;
    private final Neighbourhood neighbourhood;
    private @Nullable S state;

    ConformanceReplay(Protocol<S, M> protocol, Neighbourhood neighbourhood) {
        this.protocol = protocol;
        this.neighbourhood = neighbourhood;
    }

    /** What differs; nothing if all of it is as it was recorded. */
    Optional<String> firstDifference(NodeTrace<S, M> nodeTrace) {
        for (int i = 0; i < nodeTrace.steps().size(); i++) {
            var differs = switch (nodeTrace.steps().get(i)) {
                case RecordedStep.Started<S, M> started ->
                    compare(() -> start(started.memory()), started.state(), started.effects());
                case RecordedStep.Stepped<S, M> stepped ->
                    compare(() -> step(stepped.event()), stepped.state(), stepped.effects());
                case RecordedStep.StepFailed<S, M> stepFailed -> compareFailure(stepFailed);
                case RecordedStep.Alive<S, M> alive -> Optional.<String>empty();
                case RecordedStep.Stopped<S, M> stopped -> Optional.<String>empty();
            };
            if (differs.isPresent()) {
                var where = nodeTrace.header().node() + "#" + nodeTrace.header().incarnation() + ", line " + (i + 1);
                return differs.map(what -> where + ": " + what);
            }
        }
        return Optional.empty();
    }

    private Step<S, M> start(ByteString memory) {
        return memory.size() == 0 || !(protocol instanceof Durable<S, M, ?> durable)
                ? protocol.start(neighbourhood)
                : restart(durable, memory);
    }

    private <D> Step<S, M> restart(Durable<S, M, D> durable, ByteString memory) {
        return durable.restart(neighbourhood, Codec.ofMemories(durable).read(memory.asByteBuffer()));
    }

    private Step<S, M> step(Event<M> event) {
        if (state == null) {
            throw new IllegalArgumentException("a step before the start");
        }
        return protocol.step(state, event);
    }

    private Optional<String> compareFailure(RecordedStep.StepFailed<S, M> then) {
        try {
            return Optional.of("recorded was a bug: " + then.reason() + "; the machine says " + step(then.event()));
        } catch (RuntimeException bug) {
            return String.valueOf(bug.getMessage()).equals(then.reason())
                    ? Optional.empty()
                    : Optional.of("recorded was a bug: " + then.reason() + "; the machine has another: " + bug);
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

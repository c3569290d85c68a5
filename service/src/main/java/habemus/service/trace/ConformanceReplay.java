package habemus.service.trace;

import habemus.codec.Codec;
import habemus.protocol.ByteString;
import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.MembershipAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Replays every step of a trace with the pure protocol, and compares states and effects. */
final class ConformanceReplay<S, M> {

    private final Protocol<S, M> protocol;
    private final Neighbourhood neighbourhood;
    private @Nullable S state;

    /** @param neighbourhood of the node in the first view */
    ConformanceReplay(Protocol<S, M> protocol, Neighbourhood neighbourhood) {
        this.protocol = protocol;
        this.neighbourhood = neighbourhood;
    }

    /** The first step that differs from the trace. Empty if all steps match. */
    Optional<String> firstDifference(NodeTrace<S, M> trace) {
        for (int i = 0; i < trace.steps().size(); i++) {
            var difference = switch (trace.steps().get(i)) {
                case RecordedStep.Started<S, M> started ->
                    compare(() -> start(neighbourhood, started.durableState()), started.state(), started.effects());
                case RecordedStep.StartedInView<S, M> started ->
                    compare(() -> start(started), started.state(), started.effects());
                case RecordedStep.Stepped<S, M> stepped ->
                    compare(() -> step(stepped.event()), stepped.state(), stepped.effects());
                case RecordedStep.StepFailed<S, M> stepFailed -> compareFailure(stepFailed);
                case RecordedStep.Alive<S, M> alive -> Optional.<String>empty();
                case RecordedStep.Stopped<S, M> stopped -> Optional.<String>empty();
            };
            if (difference.isPresent()) {
                var where = trace.header().node() + "#" + trace.header().incarnation() + ", step " + (i + 1);
                return difference.map(text -> where + ": " + text);
            }
        }
        return Optional.empty();
    }

    private Step<S, M> start(RecordedStep.StartedInView<S, M> started) {
        var view = new Neighbourhood(neighbourhood.self(), started.peers().toList());
        return started.joins() && protocol instanceof MembershipAware<S, M> aware
                ? aware.join(view, started.view())
                : start(view, started.durableState());
    }

    private Step<S, M> start(Neighbourhood view, ByteString durableState) {
        return durableState.size() == 0 || !(protocol instanceof Durable<S, M, ?> durable)
                ? protocol.start(view)
                : restart(durable, view, durableState);
    }

    private <D> Step<S, M> restart(Durable<S, M, D> durable, Neighbourhood view, ByteString durableState) {
        return durable.restart(view, Codec.ofDurableStates(durable).read(durableState.asByteBuffer()));
    }

    private Step<S, M> step(Event<M> event) {
        if (state == null) {
            throw new IllegalArgumentException("the first step must be the start");
        }
        return protocol.step(state, event);
    }

    private Optional<String> compareFailure(RecordedStep.StepFailed<S, M> failed) {
        try {
            return Optional.of("recorded failure: " + failed.reason() + "; replayed: " + step(failed.event()));
        } catch (RuntimeException bug) {
            return String.valueOf(bug.getMessage()).equals(failed.reason())
                    ? Optional.empty()
                    : Optional.of("recorded failure: " + failed.reason() + "; replayed failure: " + bug);
        }
    }

    private Optional<String> compare(Supplier<Step<S, M>> replayedStep, S recorded, List<Effect<M>> effects) {
        Step<S, M> step;
        try {
            step = replayedStep.get();
        } catch (ProtocolBug | IllegalArgumentException failed) {
            return Optional.of("recorded step fails in the replay: " + failed.getMessage());
        }
        state = step.state();
        if (!step.state().equals(recorded)) {
            return Optional.of("recorded state: " + recorded + "; replayed state: " + step.state());
        }
        return step.effects().equals(effects)
                ? Optional.empty()
                : Optional.of("recorded effects: " + effects + "; replayed effects: " + step.effects());
    }
}

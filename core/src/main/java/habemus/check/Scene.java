package habemus.check;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.world.Happening;
import habemus.world.TraceLine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One event at one node, carried out: its step, the effects in order, and what the node then says to itself. */
final class Scene<S, M> {

    private static final int SELF_STEPS_MAX = 1_000;

    private final Stage<S, M> stage;
    private final NodeId self;
    private final Dice dice;
    private final List<Outcome.Out> outs = new ArrayList<>();
    private final List<Cell> during = new ArrayList<>();
    private final ArrayDeque<M> toSelf = new ArrayDeque<>();
    private final ArrayDeque<Integer> fallen = new ArrayDeque<>();
    private Cell cell;

    Scene(Stage<S, M> stage, Cell cell, Dice dice) {
        this.stage = stage;
        this.cell = cell;
        this.dice = dice;
        self = stage.id(cell.node());
    }

    Outcome outcome() {
        return new Outcome(cell, List.copyOf(outs), List.copyOf(during));
    }

    void see(Happening happening) {
        out(new Outcome.Out.Seen(happening));
    }

    private void out(Outcome.Out out) {
        outs.add(out);
        during.add(cell);
    }

    /** What the event means to the cell, before the algorithm is told of it. */
    void prepare(Event<M> event, @Nullable Letter letter, boolean causal) {
        switch (event) {
            case Event.Acquire<M>() -> {
                see(new Happening.Asked(self, cell.past()));
                cell = cell.asked(Cell.Use.WAITING).after(causal ? cell.past().with(self) : cell.past());
            }
            case Event.Campaign<M>() -> {
                if (cell.use() == Cell.Use.OUT) {
                    see(new Happening.Asked(self, cell.past()));
                }
                cell = cell.asked(Cell.Use.CANDIDATE);
            }
            case Event.Release<M>() -> {
                cell = cell.used(Cell.Use.OUT);
                see(new Happening.Left(self));
            }
            case Event.Elapsed<M>(var alarm) -> cell = cell.calm(alarm);
            case Event.Suspect<M>(var peer) ->
                cell = cell.suspecting(cell.suspected().with(peer));
            case Event.Restore<M>(var peer) ->
                cell = cell.suspecting(cell.suspected().without(peer));
            case Event.Received<M> received -> {
                if (letter != null && !letter.past().isEmpty()) {
                    cell = cell.after(cell.past().with(letter.past()));
                }
            }
            case Event.Rolled<M> rolled -> {}
        }
    }

    void comeUp(Step<S, M> step, TraceLine.Start how) {
        carryOut(step, new Outcome.Out.Did(null, how, step.state(), step.effects()));
        settle();
    }

    /** An alarm rings, unless it was calmed meanwhile. */
    void ring(Enum<?> alarm) {
        if (cell.alarms().stream().anyMatch(each -> each.alarm() == alarm)) {
            var event = new Event.Elapsed<M>(alarm);
            prepare(event, null, false);
            tell(event);
        }
    }

    void tell(Event<M> event) {
        var step = stage.step(stage.state(cell), event);
        carryOut(step, new Outcome.Out.Did(event, null, step.state(), step.effects()));
        settle();
    }

    /** What the node said to itself, and the dice it rolled, come before anything else. */
    private void settle() {
        for (int steps = 0; !toSelf.isEmpty() || !fallen.isEmpty(); steps++) {
            ProtocolBug.unless(steps < SELF_STEPS_MAX, "talking to oneself for ever", cell.state());
            Event<M> event = fallen.isEmpty()
                    ? new Event.Received<>(self, toSelf.remove())
                    : new Event.Rolled<>(fallen.remove());
            var step = stage.step(stage.state(cell), event);
            carryOut(step, new Outcome.Out.Did(event, null, step.state(), step.effects()));
        }
    }

    private void carryOut(Step<S, M> step, Outcome.Out.Did did) {
        cell = cell.in(step.state());
        out(did);
        for (Effect<M> effect : step.effects()) {
            switch (effect) {
                case Effect.Send<M>(var to, var message) -> send(to, message);
                case Effect.SendAll<M>(var to, var message) -> to.forEach(each -> send(each, message));
                case Effect.Wake<M> wake -> wake(wake);
                case Effect.Calm<M>(var alarm) -> cell = cell.calm(alarm);
                case Effect.Roll<M>(var sides) -> fallen.add(dice.roll(sides));
                case Effect.Grant<M>(var fence) -> enter(fence);
                case Effect.Elected<M>(var leader, var term) -> name(leader, term);
                case Effect.Lost<M>() -> lose();
                case Effect.Suspect<M>(var peer) -> see(new Happening.Suspected(self, peer));
                case Effect.Restore<M>(var peer) -> see(new Happening.Trusted(self, peer));
            }
        }
    }

    private void send(NodeId to, M message) {
        if (to.equals(self)) {
            toSelf.add(message);
            return;
        }
        if (!stage.scope().topology().place(self).neighbours().contains(to)) {
            throw new ProtocolBug("sending to " + to + ", which is no neighbour,", cell.state());
        }
        out(new Outcome.Out.Sent(to, message));
    }

    /** Only a synchronous world asks how long: elsewhere any time is as good as any other. */
    private void wake(Effect.Wake<M> wake) {
        if (!(stage.protocol() instanceof Timed)) {
            return;
        }
        if (stage.scope().isSynchronous()) {
            var tick = stage.scope().tick();
            cell = cell.wake(
                    new Cell.Pending(wake.alarm(), Cell.ticks(wake.atLeast(), tick), Cell.ticks(wake.atMost(), tick)));
        } else {
            cell = cell.wake(new Cell.Pending(wake.alarm(), 0, 0));
        }
    }

    private void enter(long fence) {
        ProtocolBug.unless(cell.use() == Cell.Use.WAITING, "a grant that nobody waits for", cell.state());
        cell = cell.used(Cell.Use.INSIDE);
        see(new Happening.Entered(self, fence));
    }

    private void name(NodeId leader, long term) {
        disown();
        cell = cell.naming(leader.number());
        see(new Happening.Named(self, leader, term));
    }

    private void disown() {
        if (cell.leader() != 0) {
            var leader = new NodeId(cell.leader());
            cell = cell.naming(0);
            see(new Happening.Disowned(self, leader));
        }
    }

    private void lose() {
        if (cell.use() == Cell.Use.INSIDE) {
            cell = cell.used(Cell.Use.OUT);
            see(new Happening.Left(self));
        }
        disown();
    }
}

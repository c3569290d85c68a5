package habemus.check;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Happening;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a choice.
 *
 * @param cell the node's afterwards
 * @param outs what it did, in order
 * @param during the cell when each of them was done: a crash at that moment leaves what this one remembers
 */
record Outcome(Cell cell, List<Out> outs, List<Cell> during) {

    /** Something that left the node, or can be told of it. */
    sealed interface Out {

        /**
         * A step of the algorithm. What follows are its effects.
         *
         * @param event what was told to it; null if it came up
         */
        record Did(
                @Nullable Event<?> event,
                TraceLine.@Nullable Start start,
                Object state,
                List<? extends Effect<?>> effects)
                implements Out {}

        record Sent(NodeId to, Object message) implements Out {}

        record Seen(Happening happening) implements Out {}
    }

    List<Happening> seen() {
        var seen = new ArrayList<Happening>();
        for (Out out : outs) {
            if (out instanceof Out.Seen(var happening)) {
                seen.add(happening);
            }
        }
        return List.copyOf(seen);
    }
}

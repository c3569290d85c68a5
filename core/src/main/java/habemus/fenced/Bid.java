package habemus.fenced;

import habemus.protocol.WireTags;
import java.util.List;

/** A claim that is not over. */
@WireTags({Bid.Holding.class, Bid.Waiting.class})
public sealed interface Bid {

    List<Want> wants();

    default int unitsOf(Name name) {
        return wants().stream()
                .filter(want -> want.name().equals(name))
                .mapToInt(Want::units)
                .sum();
    }

    /** In the line of everything it wants. */
    record Waiting(List<Want> wants, Turn turn, long since) implements Bid {}

    record Holding(List<Want> wants, long fence, long since) implements Bid {}
}

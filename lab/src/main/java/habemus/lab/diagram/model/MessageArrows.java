package habemus.lab.diagram.model;

import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Pairs each sent message with its delivery or drop. */
public final class MessageArrows {

    /** A sent message, how many copies of it are in flight, and whether one copy has ended. */
    private static final class Flight {
        final InFlightMessage inFlightMessage;
        final int sendIndex;
        final boolean fromApplication;
        int copiesInFlight = 1;
        boolean hasEnded;

        Flight(InFlightMessage inFlightMessage, int sendIndex, boolean fromApplication) {
            this.inFlightMessage = inFlightMessage;
            this.sendIndex = sendIndex;
            this.fromApplication = fromApplication;
        }
    }

    private final TreeMap<Long, Flight> flights = new TreeMap<>();
    private final List<MessageArrow> arrows = new ArrayList<>();

    private MessageArrows() {}

    /** All arrows in the order of sending. Messages sent before the recording began are left out. */
    public static List<MessageArrow> of(List<TraceEvent> events) {
        var pairing = new MessageArrows();
        for (int i = 0; i < events.size(); i++) {
            pairing.recordSend(events.get(i), i);
        }
        for (int i = 0; i < events.size(); i++) {
            pairing.recordEnd(events.get(i), i);
        }
        pairing.flights.values().forEach(flight -> {
            while (flight.copiesInFlight > 0) {
                pairing.endFlight(flight, new MessageArrow.End.InFlight());
            }
        });
        pairing.arrows.sort(Comparator.comparingInt(MessageArrow::sendIndex)
                .thenComparingLong(arrow -> arrow.inFlightMessage().number()));
        return List.copyOf(pairing.arrows);
    }

    private void recordSend(TraceEvent event, int index) {
        switch (event) {
            case TraceEvent.NodeStep nodeStep ->
                nodeStep.sent()
                        .forEach(inFlightMessage ->
                                flights.put(inFlightMessage.number(), new Flight(inFlightMessage, index, false)));
            case TraceEvent.AppMessageSent appMessageSent ->
                flights.put(appMessageSent.message().number(), new Flight(appMessageSent.message(), index, true));
            default -> {}
        }
    }

    private void recordEnd(TraceEvent event, int index) {
        switch (event) {
            case TraceEvent.Step step -> endFlight(step.messageNumber(), new MessageArrow.End.Received(index));
            case TraceEvent.AppMessageReceived appMessageReceived ->
                endFlight(appMessageReceived.message().number(), new MessageArrow.End.Received(index));
            case TraceEvent.MessageOutcome(var time, var inFlightMessage, var fate)
            when fate == TraceEvent.Fate.DUPLICATED -> {
                var flight = flights.get(inFlightMessage.number());
                if (flight != null) {
                    flight.copiesInFlight++;
                }
            }
            case TraceEvent.MessageOutcome(var time, var inFlightMessage, var fate) ->
                endFlight(inFlightMessage.number(), new MessageArrow.End.Dropped(index, fate));
            default -> {}
        }
    }

    private void endFlight(long number, MessageArrow.End end) {
        var flight = flights.get(number);
        if (flight != null) {
            endFlight(flight, end);
        }
    }

    private void endFlight(Flight flight, MessageArrow.End end) {
        arrows.add(new MessageArrow(
                flight.inFlightMessage, flight.sendIndex, end, flight.hasEnded, flight.fromApplication));
        flight.hasEnded = true;
        flight.copiesInFlight--;
    }
}

package habemus.lab.diagram.model;

import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Pairs every sending with what became of it. */
final class MessageArrows {

    /** A message that was sent, how many of it are still under way, and whether one has ended already. */
    private static final class Flight {
        final InFlightMessage inFlightMessage;
        final int sendIndex;
        final boolean fromApplication;
        int copiesInFlight = 1;
        boolean hasEnded;

        Flight(InFlightMessage inFlightMessage, int sent, boolean told) {
            this.inFlightMessage = inFlightMessage;
            this.sendIndex = sent;
            this.fromApplication = told;
        }
    }

    private final TreeMap<Long, Flight> flights = new TreeMap<>();
    private final List<MessageArrow> messageArrows = new ArrayList<>();

    private MessageArrows() {}

    /** In the order of sending. What was sent before the recording began is left out. */
    static List<MessageArrow> of(List<TraceEvent> lines) {
        var pairing = new MessageArrows();
        for (int i = 0; i < lines.size(); i++) {
            pairing.recordSend(lines.get(i), i);
        }
        for (int i = 0; i < lines.size(); i++) {
            pairing.recordEnd(lines.get(i), i);
        }
        pairing.flights.values().forEach(flight -> {
            while (flight.copiesInFlight > 0) {
                pairing.endFlight(flight, new MessageArrow.End.InFlight());
            }
        });
        pairing.messageArrows.sort(Comparator.comparingInt(MessageArrow::sendIndex)
                .thenComparingLong(
                        messageArrow -> messageArrow.inFlightMessage().number()));
        return List.copyOf(pairing.messageArrows);
    }

    private void recordSend(TraceEvent line, int at) {
        switch (line) {
            case TraceEvent.NodeStep nodeStep ->
                nodeStep.sent()
                        .forEach(inFlightMessage ->
                                flights.put(inFlightMessage.number(), new Flight(inFlightMessage, at, false)));
            case TraceEvent.AppMessageSent appMessageSent ->
                flights.put(appMessageSent.message().number(), new Flight(appMessageSent.message(), at, true));
            default -> {}
        }
    }

    private void recordEnd(TraceEvent line, int at) {
        switch (line) {
            case TraceEvent.Step step -> endFlight(step.messageNumber(), new MessageArrow.End.Received(at));
            case TraceEvent.AppMessageReceived appMessageReceived ->
                endFlight(appMessageReceived.message().number(), new MessageArrow.End.Received(at));
            case TraceEvent.MessageOutcome(var time, var inFlightMessage, var fate)
            when fate == TraceEvent.Fate.DUPLICATED -> {
                var flight = flights.get(inFlightMessage.number());
                if (flight != null) {
                    flight.copiesInFlight++;
                }
            }
            case TraceEvent.MessageOutcome(var time, var inFlightMessage, var fate) ->
                endFlight(inFlightMessage.number(), new MessageArrow.End.Dropped(at, fate));
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
        messageArrows.add(new MessageArrow(
                flight.inFlightMessage, flight.sendIndex, end, flight.hasEnded, flight.fromApplication));
        flight.hasEnded = true;
        flight.copiesInFlight--;
    }
}

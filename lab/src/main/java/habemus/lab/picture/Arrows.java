package habemus.lab.picture;

import habemus.world.Mail;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Pairs every sending with what became of it. */
final class Arrows {

    /** A message that was sent, how many of it are still under way, and whether one has ended already. */
    private static final class Flight {
        final Mail mail;
        final int sent;
        final boolean told;
        int underWay = 1;
        boolean landed;

        Flight(Mail mail, int sent, boolean told) {
            this.mail = mail;
            this.sent = sent;
            this.told = told;
        }
    }

    private final TreeMap<Long, Flight> flights = new TreeMap<>();
    private final List<Arrow> arrows = new ArrayList<>();

    private Arrows() {}

    /** In the order of sending. What was sent before the recording began is left out. */
    static List<Arrow> in(List<TraceLine> lines) {
        var pairing = new Arrows();
        for (int i = 0; i < lines.size(); i++) {
            pairing.send(lines.get(i), i);
        }
        for (int i = 0; i < lines.size(); i++) {
            pairing.end(lines.get(i), i);
        }
        pairing.flights.values().forEach(flight -> {
            while (flight.underWay > 0) {
                pairing.land(flight, new Arrow.End.UnderWay());
            }
        });
        pairing.arrows.sort(Comparator.comparingInt(Arrow::sent)
                .thenComparingLong(arrow -> arrow.mail().number()));
        return List.copyOf(pairing.arrows);
    }

    private void send(TraceLine line, int at) {
        switch (line) {
            case TraceLine.Acted acted ->
                acted.sent().forEach(mail -> flights.put(mail.number(), new Flight(mail, at, false)));
            case TraceLine.Told told -> flights.put(told.mail().number(), new Flight(told.mail(), at, true));
            default -> {}
        }
    }

    private void end(TraceLine line, int at) {
        switch (line) {
            case TraceLine.Stepped stepped -> land(stepped.mail(), new Arrow.End.Received(at));
            case TraceLine.Heard heard -> land(heard.mail().number(), new Arrow.End.Received(at));
            case TraceLine.Fared(var time, var mail, var fate)
            when fate == TraceLine.Fate.DUPLICATED -> {
                var flight = flights.get(mail.number());
                if (flight != null) {
                    flight.underWay++;
                }
            }
            case TraceLine.Fared(var time, var mail, var fate) -> land(mail.number(), new Arrow.End.Failed(at, fate));
            default -> {}
        }
    }

    private void land(long number, Arrow.End end) {
        var flight = flights.get(number);
        if (flight != null) {
            land(flight, end);
        }
    }

    private void land(Flight flight, Arrow.End end) {
        arrows.add(new Arrow(flight.mail, flight.sent, end, flight.landed, flight.told));
        flight.landed = true;
        flight.underWay--;
    }
}

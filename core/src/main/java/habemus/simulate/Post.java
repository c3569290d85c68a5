package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.world.Causality;
import habemus.world.Mail;
import habemus.world.Problem;
import habemus.world.TraceLine;
import habemus.world.TraceLine.Fate;
import habemus.world.Workload.Chatter;
import habemus.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages from node to node. As long as nobody wants to know more, what travels is the bare message; where a
 * run is traced, or its causes are judged, it travels in a letter.
 */
final class Post {

    /** A message with its number, and the vector clock of its sender where causes are judged. */
    private static final class Letter {
        final Mail mail;
        final int @Nullable [] clock;

        Letter(Mail mail, int @Nullable [] clock) {
            this.mail = mail;
            this.clock = clock;
        }
    }

    /** Larger worlds are not asked whether a message goes to a neighbour. */
    private static final int SMALL = 1_000;

    private final Links links;
    private final Journal journal;
    private final Agenda agenda;
    private final boolean sharedChat;
    private final NodeSet @Nullable [] neighbours;
    private final @Nullable Causality causality;
    private final boolean letters;
    private final List<Mail> sent = new ArrayList<>();
    private NodeId[] ids = {};
    private int @Nullable [] clock; // of the step that is being carried out
    private long number;

    Post(World world, Problem problem, SplittableRandom chance, Journal journal, Agenda agenda) {
        this.journal = journal;
        this.agenda = agenda;
        links = new Links(world, chance);
        sharedChat = world.workload().chatter() == Chatter.SHARED;
        int highest = world.topology().highest();
        boolean causal = problem == Problem.MUTEX && highest <= Causality.MOST && journal.judging();
        causality = causal ? new Causality(highest) : null;
        letters = causal || journal.tracing();
        neighbours = highest <= SMALL ? neighbours(world, highest) : null;
    }

    private static NodeSet[] neighbours(World world, int highest) {
        var sets = new NodeSet[highest + 1];
        world.topology()
                .nodes()
                .forEach(id -> sets[id.number()] = world.topology().place(id).peers());
        return sets;
    }

    void between(NodeId[] nodes) {
        ids = nodes;
    }

    Links links() {
        return links;
    }

    void beginStep() {
        clock = null;
    }

    /** The messages that left since this was asked last. */
    List<Mail> takeSent() {
        var taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    void send(int from, int to, Object message, long what) {
        if (to >= ids.length || ids[to] == null || neighbours != null && !neighbours[from].contains(ids[to])) {
            throw new ProtocolBug("sending to n" + to + ", which is no neighbour,", ids[from]);
        }
        journal.count(message);
        Object load = message;
        if (letters) {
            var mail = new Mail(++number, ids[from], ids[to], message);
            if (journal.tracing()) {
                sent.add(mail);
            }
            load = new Letter(mail, clock(from));
        }
        if (isCut(from, to)) {
            fare(load, Fate.CUT_OFF);
        } else if (links.loses()) {
            fare(load, Fate.LOST);
        } else {
            agenda.add(links.arrival(agenda.now(), from, to), what, load);
            if (links.duplicates()) {
                fare(load, Fate.DUPLICATED);
                agenda.add(links.arrival(agenda.now(), from, to), what, load);
            }
        }
    }

    private boolean isCut(int from, int to) {
        return links.anyCut() && links.isCut(ids[from], ids[to]);
    }

    private int @Nullable [] clock(int from) {
        if (clock == null && causality != null) {
            clock = causality.send(from);
        }
        return clock;
    }

    /** Whether what has arrived gets through: links are cut at both ends. */
    boolean opens(Object load, int from, int to) {
        if (isCut(from, to)) {
            fare(load, Fate.CUT_OFF);
            return false;
        }
        if (causality != null && load instanceof Letter letter && letter.clock != null) {
            causality.receive(to, letter.clock);
        }
        return true;
    }

    Object message(Object load) {
        return load instanceof Letter letter ? letter.mail.message() : load;
    }

    long number(Object load) {
        return load instanceof Letter letter ? letter.mail.number() : 0;
    }

    /** It arrives at a node that is down. */
    void toNobody(@Nullable Object load) {
        fare(load, Fate.RECEIVER_DOWN);
    }

    private void fare(@Nullable Object load, Fate fate) {
        if (journal.tracing() && load instanceof Letter letter) {
            journal.write(new TraceLine.Fared(agenda.now(), letter.mail, fate));
        }
    }

    /** One application speaks to another: nothing of it is lost, and nobody counts it. */
    void tell(int from, int to, long what) {
        if (!isCut(from, to)) {
            clock = null;
            var mail = new Mail(++number, ids[from], ids[to], "I have asked");
            journal.write(new TraceLine.Told(agenda.now(), mail));
            long arrival = sharedChat ? links.arrival(agenda.now(), from, to) : agenda.now() + links.delay(from, to);
            agenda.add(arrival, what, new Letter(mail, clock(from)));
        }
    }

    boolean opensChat(Object load, int from, int to) {
        if (!opens(load, from, to)) {
            return false;
        }
        journal.write(new TraceLine.Heard(agenda.now(), ((Letter) load).mail));
        return true;
    }

    /** Those that wait and whose asking happened before this one. */
    NodeSet causesOfAsking(NodeId node) {
        return causality == null ? NodeSet.NONE : causality.ask(node);
    }

    void stopWaiting(NodeId node) {
        if (causality != null) {
            causality.stopWaiting(node);
        }
    }
}

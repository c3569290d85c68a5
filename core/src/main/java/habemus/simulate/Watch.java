package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.World;

/** Who notices what of whom, and when: the failure detectors of all nodes at work. */
final class Watch {

    private static final int RETURN = 0; // news of a crash has the number of the crash, from one on

    private final Run<?, ?> run;
    private final World world;
    private final Health health;
    private final Agenda agenda;
    private final Oracle oracle;

    Watch(Run<?, ?> run, World world, Health health, Agenda agenda) {
        this.run = run;
        this.world = world;
        this.health = health;
        this.agenda = agenda;
        oracle = new Oracle(world);
    }

    /** The neighbours will notice. */
    void wentDown(NodeId id) {
        oracle.forget(id);
        if (isAtWork()) {
            world.topology().place(id).neighbours().forEach(peer -> send(peer, id, crash(id)));
        }
    }

    /** The neighbours will notice, and it will notice who of them is down. */
    void cameBack(NodeId id) {
        if (isAtWork()) {
            for (NodeId peer : world.topology().place(id).neighbours()) {
                send(peer, id, RETURN);
                if (health.isDown(peer.number())) {
                    send(id, peer, crash(peer));
                }
            }
        }
    }

    private boolean isAtWork() {
        return oracle.notices() && run.isWatched();
    }

    private int crash(NodeId id) {
        return health.crashes(id.number());
    }

    private void send(NodeId node, NodeId peer, int news) {
        agenda.add(agenda.now() + oracle.delay(), Cue.of(Cue.NOTICE, node.number(), peer.number()), news);
    }

    /** News of a crash that is over is no news: nobody who is up is suspected, but for mistakes. */
    void hear(NodeId node, NodeId peer, int news) {
        oracle.observe(node, peer, health.isDown(peer.number()) && crash(peer) == news);
        revise(node, peer);
    }

    void begin(Fault.Mistake mistake) {
        oracle.begin(mistake);
        revise(mistake.node(), mistake.peer());
    }

    void end(NodeId node, NodeId peer) {
        oracle.end(node, peer);
        revise(node, peer);
    }

    void endAll() {
        oracle.mistakes().forEach(mistake -> end(mistake.node(), mistake.peer()));
    }

    /** A node that was paused makes up its mind now. */
    void resume(NodeId id) {
        if (run.isWatched()) {
            world.topology().place(id).neighbours().forEach(peer -> revise(id, peer));
        }
    }

    private void revise(NodeId node, NodeId peer) {
        if (run.isWatched() && health.isUp(node.number()) && oracle.revise(node, peer)) {
            run.tell(node, peer, oracle.suspects(node, peer));
        }
    }
}

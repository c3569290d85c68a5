package habemus.harness.simulation;

/** What must hold at the end of a run, a while after all faults are healed. */
final class FinalChecks {

    private final ServiceWorld world;
    private long settledIndex; // of the commands that every node must have at the end

    FinalChecks(ServiceWorld world) {
        this.world = world;
    }

    void plan() {
        world.time().at(FaultPlan.END_NANOS - FaultPlan.SECOND, () -> settledIndex = world.history().table().index());
    }

    void run() {
        if (world.trace().isViolated()) {
            return;
        }
        world.nodes().forEach(this::checkNode);
        world.clients().forEach(this::checkClient);
        world.trace().add(world.history().lastIndex(), world.history().table().index());
    }

    private void checkNode(NodeProcess node) {
        if (node.isAmnesiac()) {
            world.violate(ServiceProperty.AMNESIA_REFUSED, () -> node + " was never refused");
        } else if (world.operator().isBusyWith(node)) {
            world.violate(ServiceProperty.PROGRESS, () -> "the members could not be changed: " + node);
        } else if (node.status() != NodeProcess.Status.ABSENT) {
            checkRunning(node);
        }
    }

    private void checkRunning(NodeProcess node) {
        var server = node.lockServer();
        if (server.isEmpty()) {
            world.violate(ServiceProperty.PROGRESS, () -> node + " does not run: " + node.status());
            return;
        }
        var table = server.get().table();
        world.history().verifyTable(node.id(), table);
        if (table.index() < settledIndex) {
            world.violate(
                    ServiceProperty.PROGRESS,
                    () -> node + " has applied " + table.index() + " of " + settledIndex + " commands");
        }
    }

    private void checkClient(ClientProcess client) {
        for (long fence : client.believedFences()) {
            if (!world.grants().isHeld(fence)) {
                world.violate(ServiceProperty.REVOCATION_REPORTED, () -> client + " believes in fence " + fence);
            }
        }
        if (client.isWaiting()) {
            world.violate(ServiceProperty.PROGRESS, () -> client + " still waits");
        }
        if (!client.isCandidate() && client.servedNanos() < FaultPlan.HEALED_NANOS) {
            world.violate(ServiceProperty.PROGRESS, () -> client + " was not served after the faults");
        }
    }
}

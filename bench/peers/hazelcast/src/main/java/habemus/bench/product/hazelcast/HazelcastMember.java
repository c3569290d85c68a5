package habemus.bench.product.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import java.util.List;

/** Runs a Hazelcast node. Arguments: number of nodes, and the ports of all, its own first. */
final class HazelcastMember {

    static final String CLUSTER = "bench";

    private HazelcastMember() {}

    public static void main(String... args) {
        var ports = List.of(args).subList(1, args.length);
        var config = new Config().setClusterName(CLUSTER);
        var network = config.getNetworkConfig();
        network.setPort(Integer.parseInt(ports.getFirst())).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        config.setProperty("hazelcast.socket.bind.any", "false");
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        var others = network.getJoin().getTcpIpConfig().setEnabled(true);
        ports.forEach(port -> others.addMember("127.0.0.1:" + port));
        config.getCPSubsystemConfig().setCPMemberCount(Integer.parseInt(args[0]));
        Hazelcast.newHazelcastInstance(config);
    }
}

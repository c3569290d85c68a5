package habemus.log.etcd;

import habemus.concurrent.EventLoop;
import habemus.service.log.EngineConfig;
import habemus.service.log.LogProvider;
import habemus.service.log.ReplicatedLog;
import java.security.SecureRandom;

/** Opens logs on etcd, for specifications like {@code etcd:10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379}. */
public final class EtcdLogProvider implements LogProvider {

    /** For {@link java.util.ServiceLoader}. */
    public EtcdLogProvider() {}

    @Override
    public String prefix() {
        return EtcdAddress.PREFIX;
    }

    @Override
    public String syntax() {
        return "etcd:HOST:PORT,…";
    }

    @Override
    public ReplicatedLog open(EngineConfig config, EventLoop loop) {
        var address = EtcdAddress.parse(config.engine().spec(), System.getenv());
        return new EtcdLog(
                config,
                address,
                new EtcdEnvironment(
                        new GrpcKeyValueStore(address),
                        loop,
                        task -> Thread.ofPlatform().daemon().name("snapshot").start(task),
                        new SecureRandom()));
    }
}

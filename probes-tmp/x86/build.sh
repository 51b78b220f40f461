set -e
X=$PWD/probes-tmp/x86
lz=$(ls /usr/lib/x86_64-linux-gnu/liblz4.so.1* | head -1); zs=$(ls /usr/lib/x86_64-linux-gnu/libzstd.so.1* | head -1)
mkdir -p $X/lib; ln -sf $lz $X/lib/liblz4.so; ln -sf $zs $X/lib/libzstd.so
export LIBRARY_PATH=$X/lib CPATH=$X/include
cmake -S . -B /tmp/b -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_MODULE_PATH=$X/cmake -DHEDDLE_BENCH=OFF -DLZ4_LIBRARY=$X/lib/liblz4.so -DZSTD_LIBRARY=$X/lib/libzstd.so -DBoost_INCLUDE_DIR=/usr/include > /tmp/cfg.log 2>&1 || { tail -20 /tmp/cfg.log; exit 1; }
(time ninja -C /tmp/b -k 0 "$@") > /tmp/ninja.log 2>&1 || { grep -E "error|FAILED" /tmp/ninja.log | head -20; }
tail -5 /tmp/ninja.log

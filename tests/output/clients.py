#!/usr/bin/env python3
"""Opens results with the programs people use and checks that they see what was computed.

    clients.py SWE CLIENT

CLIENT is one of h5dump, ncdump, netcdf4, xarray, gdal, paraview. Exit code 77 and a message when it is not
installed. The case is the corner grid of O01: 4 x 3 cells whose bed, and here depth too, is 11..14 in the north row,
21..24, and 31..34 in the south row, so that a map that is flipped, transposed or shifted shows. It runs from another
folder, and the results are moved before they are opened (O02).
"""
import os
import shutil
import subprocess
import sys
import tempfile

RASTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases", "O01", "dem.asc")
DEPTH = [[11, 12, 13, 14], [21, 22, 23, 24], [31, 32, 33, 34]]  # north row first
X0, Y0, SIZE = 500000.0, 4000000.0, 10.0
CRS = "EPSG:32633"
SKIP = 77


def run_case(swe, folder):
    shutil.copy(RASTER, os.path.join(folder, "dem.asc"))
    with open(os.path.join(folder, "case.yaml"), "w") as file:
        file.write(f"""title: Corners & <edges>
domain:
  bed: dem.asc
  crs: {CRS}
initial: {{depth_m: dem.asc}}
time: {{end_s: 0.2}}
output:
  directory: results
  snapshots: {{every_s: 0.1, fields: [h, hu, hv, level, speed]}}
  maxima: [depth, arrival]
gauges: [{{name: north west, at: [500005.0, 4000025.0]}}]
""")
    # Another working folder, and a result folder that has moved: names in the results must not care.
    subprocess.run([swe, "run", os.path.join(folder, "case.yaml"), "--quiet"], cwd="/", check=True)
    moved = os.path.join(folder, "moved here & <there>")
    shutil.move(os.path.join(folder, "results"), moved)
    return moved


def skip(reason):
    print(f"SKIP: {reason}")
    sys.exit(SKIP)


def need_program(name):
    if shutil.which(name) is None:
        skip(f"{name} is not installed")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def same(found, expected, what):
    assert found == expected, f"{what}: found {found}, expected {expected}"


def check_h5dump(results):
    need_program("h5dump")
    text = output_of("h5dump", "-d", "/h", "-s", "0,0,0", "-c", "1,3,4", os.path.join(results, "snapshots.nc"))
    assert "31, 32, 33, 34" in text, text
    assert "H5S_UNLIMITED" in text, text


def check_ncdump(results):
    need_program("ncdump")
    for name in ("snapshots.nc", "maxima.nc"):
        header = output_of("ncdump", "-h", os.path.join(results, name))
        for part in ('Conventions = "CF-1.8"', 'grid_mapping = "crs"', "x_node = 5", "y_node = 4"):
            assert part in header, f"{name} lacks {part}:\n{header}"
        assert "phony" not in header, header
    assert "time = UNLIMITED ; // (3 currently)" in output_of("ncdump", "-h", os.path.join(results, "snapshots.nc"))


def check_netcdf4(results):
    try:
        import netCDF4
    except ImportError:
        skip("python3-netcdf4 is not installed")
    with netCDF4.Dataset(os.path.join(results, "snapshots.nc")) as data:
        same(data["h"].dimensions, ("time", "y", "x"), "dimensions")
        same(data["h"][0].tolist(), DEPTH[::-1], "depth")
        same(data["time"][:].tolist(), [0.0, 0.1, 0.2], "times")
        same(data["time"].units, "seconds", "unit of time")
        same(data["x"][:].tolist(), [500005, 500015, 500025, 500035], "x")
        same(data["y"][:].tolist(), [4000005, 4000015, 4000025], "y")
        same(data.records_committed, 3, "records")
        gauges = data["gauges"]
        same(gauges["name"][:].tolist(), ["north west"], "gauge names")
        same(gauges["depth"][0].tolist(), [11], "first gauge reading")


def check_xarray(results):
    try:
        import xarray
    except ImportError:
        skip("python3-xarray is not installed")
    with xarray.open_dataset(os.path.join(results, "snapshots.nc"), decode_timedelta=False) as data:
        first = data.h.isel(time=0)
        same(float(first.sel(x=500005, y=4000025)), 11.0, "north-west corner")
        same(float(first.sel(x=500035, y=4000005)), 34.0, "south-east corner")
    with xarray.open_dataset(os.path.join(results, "maxima.nc")) as data:
        same(float(data.arrival.max()), 0.0, "arrival where it is wet from the start")
    with xarray.open_dataset(os.path.join(results, "snapshots.nc"), group="gauges") as data:
        same(float(data.depth[0, 0]), 11.0, "gauge")


def check_gdal(results):
    try:
        from osgeo import gdal, osr
    except ImportError:
        skip("python3-gdal is not installed")
    gdal.UseExceptions()
    rasters = [f'NETCDF:"{results}/snapshots.nc":h', f'NETCDF:"{results}/snapshots.nc":bed',
               f'NETCDF:"{results}/maxima.nc":depth']
    rasters += [os.path.join(results, name) for name in os.listdir(results) if name.startswith("max_depth.")]
    assert len(rasters) == 4, rasters
    for name in rasters:
        data = gdal.Open(name)
        same(data.GetGeoTransform(), (X0, SIZE, 0.0, Y0 + 3 * SIZE, 0.0, -SIZE), f"geotransform of {name}")
        if "max_" not in name or name.endswith(".tif"):
            reference = osr.SpatialReference(wkt=data.GetProjection())
            same(reference.GetAuthorityCode(None), "32633", f"reference system of {name}")
        same(data.GetRasterBand(1).ReadAsArray()[0, 0] >= 11, True, f"north-west value of {name}")
    snapshots = gdal.Open(rasters[0])
    same(snapshots.RasterCount, 3, "bands")
    for name in rasters[:2]:
        data = gdal.Open(name)  # kept: a band does not outlive its dataset
        same(data.GetRasterBand(1).ReadAsArray().tolist(), DEPTH, f"north row first in {name}")
    need_program("gdalinfo")
    text = output_of("gdalinfo", rasters[0])
    for words in ("Upper Left  (  500000.000, 4000030.000)", "Lower Right (  500040.000, 4000000.000)", "UTM zone 33N"):
        assert words in text, f"gdalinfo does not say {words}:\n{text}"


# One reader a process, since ParaView's newer one aborts on errors. What is looked at is the surface that would be drawn,
# not what the reader holds: rectilinear grids of Debian's 5.11 are right in the one and a line in the other.
PARAVIEW_SCRIPT = r"""
import sys
from paraview import simple
path, reader = sys.argv[1:]
names = {"FileNames" if reader == "XDMFReader" else "FileName": [path]}
source = getattr(simple, reader)(**names)
times = list(source.TimestepValues)
assert times == [0.0, 0.1, 0.2], times
surface = simple.ExtractSurface(Input=source)
surface.UpdatePipeline(0.0)
data = surface.GetClientSideObject().GetOutputDataObject(0)
while data.IsA("vtkMultiBlockDataSet"):
    data = data.GetBlock(0)
assert data.GetBounds() == (500000.0, 500040.0, 4000000.0, 4000030.0, 0.0, 0.0), data.GetBounds()
assert data.GetNumberOfCells() == 12, data.GetNumberOfCells()
for name in ("h", "bed"):
    values = data.GetCellData().GetArray(name)
    found = {}
    for cell in range(12):
        box = [0.0] * 6
        data.GetCellBounds(cell, box)
        found[(box[0] + box[1]) / 2, (box[2] + box[3]) / 2] = values.GetTuple1(cell)
    for row, north in enumerate((4000025.0, 4000015.0, 4000005.0)):
        for column in range(4):
            x = 500005.0 + 10 * column
            assert found[x, north] == 10 * (row + 1) + column + 1, (name, x, north, found)
"""


def check_paraview(results):
    need_program("pvpython")
    script = os.path.join(os.path.dirname(results), "look.py")
    with open(script, "w") as file:
        file.write(PARAVIEW_SCRIPT)
    xdmf = os.path.join(results, "snapshots.xdmf")
    with open(xdmf) as file:
        assert os.path.dirname(results) not in file.read(), "an absolute name in the XDMF"
    for reader in ("XDMFReader", "Xdmf3ReaderS", "Xdmf3ReaderT"):
        done = subprocess.run(["pvpython", "--force-offscreen-rendering", script, xdmf, reader], capture_output=True,
                              text=True)
        assert done.returncode == 0, f"{reader}: {done.stdout}{done.stderr}"
        print(reader, "shows the map lying flat and the right way round")


def main():
    swe, client = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        globals()["check_" + client](run_case(swe, folder))
    print(f"{client}: good")


if __name__ == "__main__":
    main()
